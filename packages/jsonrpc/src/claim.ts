import type { JsonObject } from './messages.js';
import { META } from './meta.js';

/** The era that a message lays claim to by itself, see {@link claimOf}. */
export type Claim = 'modern' | 'opens' | 'none';

/**
 * Tells which era a request or notification claims: `'modern'` when it carries its protocol version, `'opens'` when it
 * begins a legacy session, else `'none'`. A batch claims what any of its entries does, `'modern'` before `'opens'`.
 * MCP 2026-07-28, basic, versioning.
 */
export function claimOf(value: unknown): Claim {
  if (!isBatch(value)) return claimOfOne(value);
  let claim: Claim = 'none';
  for (const entry of value) {
    const one = claimOfOne(entry);
    if (one === 'modern') return one;
    if (one === 'opens') claim = one;
  }
  return claim;
}

/** Tells whether a value is a JSON-RPC batch, whatever its entries are. */
export function isBatch(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function claimOfOne(value: unknown): Claim {
  const method = memberOf(value, 'method');
  if (typeof method !== 'string') return 'none';
  const version = memberOf(memberOf(memberOf(value, 'params'), '_meta'), META.protocolVersion);
  if (typeof version === 'string') return 'modern';
  return method === 'initialize' ? 'opens' : 'none';
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as JsonObject)[name] : undefined;
}
