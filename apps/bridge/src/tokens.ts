import { UsageError } from './arguments.js';

/** Reads who may call, `{"name":"token"}`; undefined where nothing is said. Throws a UsageError that shows no token. */
export function tokensOf(text: string | undefined): Readonly<Record<string, string>> | undefined {
  if (text === undefined || text === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  const isTable =
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((token) => typeof token === 'string' && token !== '');
  if (!isTable) throw new UsageError('RXMCP_TOKENS must be a JSON object of names and tokens');
  return value as Record<string, string>;
}
