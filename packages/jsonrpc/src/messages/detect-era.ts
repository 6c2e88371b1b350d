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

/** The era that a message claims, see {@link detectEra}. */
export type DetectedEra = 'modern' | 'legacy' | 'unknown';

/**
 * Returns which era a request or notification claims: `'modern'` when it carries its protocol version, `'legacy'` when it
 * begins a legacy session, else `'unknown'`. A batch claims what any of its entries does, `'modern'` before `'legacy'`.
 * MCP 2026-07-28, basic, versioning.
 */
export function detectEra(value: unknown): DetectedEra {
  if (!isBatch(value)) return claimOfOne(value);
  let claim: DetectedEra = 'unknown';
  for (const entry of value) {
    const one = claimOfOne(entry);
    if (one === 'modern') return one;
    if (one === 'legacy') claim = one;
  }
  return claim;
}

/** Returns whether a message has a protocol version in its `_meta`, valid or not. */
export function namesVersion(value: unknown): boolean {
  if (!isObject(value) || !isObject(value.params)) return false;
  const { _meta: meta } = value.params;
  return isObject(meta) && Object.hasOwn(meta, version);
}

/** Returns whether a value is a JSON-RPC batch, whatever its entries are. */
export function isBatch(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function claimOfOne(value: unknown): DetectedEra {
  if (!isObject(value) || typeof value.method !== 'string') return 'unknown';
  const { method, params } = value;
  if (isObject(params) && isObject(params._meta) && typeof params._meta[version] === 'string')
    return 'modern';
  return method === 'initialize' ? 'legacy' : 'unknown';
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null;
}
