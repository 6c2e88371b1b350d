import { UsageError } from '@rxmcp/app-serving/usage-error';
import type { RequestStateKey } from 'rxmcp';

/** The keys of `RXMCP_STATE_KEYS`. Throws a UsageError, which does not repeat them. */
export function stateKeysOf(text: string | undefined): readonly RequestStateKey[] | undefined {
  const keys = parsed(text);
  if (keys === undefined) return undefined;
  if (Array.isArray(keys) && keys.length > 0 && keys.every(isKey)) return keys;
  throw new UsageError(
    'RXMCP_STATE_KEYS must be JSON such as [{"id": "a", "secret": "at least 32 characters"}]',
  );
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

function isKey(value: unknown): value is RequestStateKey {
  return isObject(value) && typeof value['id'] === 'string' && typeof value['secret'] === 'string';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
