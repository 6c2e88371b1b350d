import type { JsonObject } from './messages.js';

/** The keys of the `_meta` members that the protocol defines. MCP 2026-07-28, basic, `_meta`. */
export const META_KEYS = Object.freeze({
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
});

const version = META_KEYS.protocolVersion;

/** The era that a message itself states, see {@link detectEra}. */
export type DetectedEra = 'modern' | 'opens' | 'none';

/**
 * Returns the era of a request or notification: `'modern'` when it carries its protocol version, `'opens'` when it begins a
 * legacy session, else `'none'`. For a batch it returns the era of any entry, `'modern'` before `'opens'`.
 * MCP 2026-07-28, basic, versioning.
 */
export function detectEra(value: unknown): DetectedEra {
  if (!isBatch(value)) return claimOfOne(value);
  let claim: DetectedEra = 'none';
  for (const entry of value) {
    const one = claimOfOne(entry);
    if (one === 'modern') return one;
    if (one === 'opens') claim = one;
  }
  return claim;
}

/** Returns whether a value is a JSON-RPC batch, whatever its entries are. */
export function isBatch(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function claimOfOne(value: unknown): DetectedEra {
  if (!isObject(value) || typeof value.method !== 'string') return 'none';
  const { method, params } = value;
  if (isObject(params) && isObject(params._meta) && typeof params._meta[version] === 'string')
    return 'modern';
  return method === 'initialize' ? 'opens' : 'none';
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null;
}
