import { UsageError } from './usage.js';

/** Texts by their names. */
export type Table = Readonly<Record<string, string>>;

// `Headers` takes control characters as well, with which no request leaves.
const nameForm = /^[\w!#$%&'*+.^`|~-]+$/;
const valueForm = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Who may call, with their bearer tokens: those of `RXMCP_TOKENS`. Throws a UsageError that shows no token. */
export function tokensOf(text: string | undefined): Table | undefined {
  const tokens = tableOf(text);
  if (tokens === undefined) return undefined;
  const all = Object.values(tokens ?? {});
  // Nobody could present what no header can carry.
  if (tokens !== null && all.length > 0 && all.every((token) => /^[\x21-\x7e]{1,4096}$/.test(token)))
    return tokens;
  throw new UsageError('RXMCP_TOKENS must be a JSON object of names and tokens');
}

/**
 * The headers of `RXMCP_HEADERS` and of `--header`; where both name the same one, whatever its case, the latter counts.
 * Throws a UsageError that shows no value.
 */
export function headersOf(text: string | undefined, lines: readonly string[]): Table {
  const table = tableOf(text);
  if (table === null)
    throw new UsageError('RXMCP_HEADERS must be JSON such as {"authorization": "Bearer ..."}');
  const headers = new Headers();
  for (const [name, value] of Object.entries(table ?? {})) set(headers, 'RXMCP_HEADERS', name, value);
  for (const line of lines) {
    const at = line.indexOf(':');
    if (at === -1)
      throw new UsageError('--header takes a name and a value, such as "authorization: Bearer ..."');
    set(headers, '--header', line.slice(0, at).trim(), line.slice(at + 1).trim());
  }
  return Object.fromEntries(headers);
}

function set(headers: Headers, where: string, name: string, value: string): void {
  if (!nameForm.test(name) || !valueForm.test(value))
    throw new UsageError(`${where}: ${JSON.stringify(name)} has a name or a value that no header can have`);
  headers.set(name, value);
}

/** Undefined where there is nothing, null for what is no table. */
function tableOf(text: string | undefined): Table | undefined | null {
  if (text === undefined || text === '') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject && Object.values(value).every((each) => typeof each === 'string')
      ? (value as Table)
      : null;
  } catch {
    return null;
  }
}
