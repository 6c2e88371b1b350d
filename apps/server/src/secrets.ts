import type { StateKey } from 'rxmcp';
import { UsageError } from './usage.js';

/** The keys of `RXMCP_STATE_KEYS`. Throws a UsageError, which does not repeat them. */
export function stateKeysOf(text: string | undefined): readonly StateKey[] | undefined {
  const keys = parsed(text);
  if (keys === undefined) return undefined;
  if (Array.isArray(keys) && keys.length > 0 && keys.every(isKey)) return keys;
  throw new UsageError(
    'RXMCP_STATE_KEYS must be JSON such as [{"id": "a", "secret": "at least 32 characters"}]',
  );
}

/** Who may call, with their bearer tokens: those of `RXMCP_TOKENS`. Throws a UsageError, which does not repeat them. */
export function tokensOf(text: string | undefined): Readonly<Record<string, string>> | undefined {
  const tokens = parsed(text);
  if (tokens === undefined) return undefined;
  if (isObject(tokens)) {
    const all = Object.values(tokens);
    const isToken = (token: unknown): boolean =>
      typeof token === 'string' && /^[\x21-\x7e]{1,4096}$/.test(token);
    if (all.length > 0 && all.every(isToken)) return tokens as Readonly<Record<string, string>>;
  }
  throw new UsageError('RXMCP_TOKENS must be JSON such as {"ada": "her-token"}');
}

/** Undefined where there is nothing, null for what is no JSON. */
function parsed(text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isKey(value: unknown): value is StateKey {
  return isObject(value) && typeof value['id'] === 'string' && typeof value['secret'] === 'string';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
