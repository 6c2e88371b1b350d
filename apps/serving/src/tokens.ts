import { UsageError } from './usage-error.js';

/** Bearer tokens by the names of those who may call. */
export type Tokens = Readonly<Record<string, string>>;

/** Reads who may call over a network: the value of `RXMCP_TOKENS`. Throws a UsageError that contains no token. */
export function tokensOf(text: string | undefined): Tokens | undefined {
  if (text === undefined || text === '') return undefined;
  const tokens = parsedJson(text);
  if (typeof tokens === 'object' && tokens !== null && !Array.isArray(tokens)) {
    const all: unknown[] = Object.values(tokens);
    if (all.length > 0 && all.every(isToken)) return tokens as Tokens;
  }
  throw new UsageError('RXMCP_TOKENS must be JSON such as {"name": "token"}');
}

/** A client could not send a token with other characters in a header. */
function isToken(token: unknown): boolean {
  return typeof token === 'string' && /^[\x21-\x7e]{1,4096}$/.test(token);
}

/** The value of a JSON text; undefined where it is invalid. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
