import { UsageError } from '../usage.js';

/** Headers by their names. */
export type HeaderSet = Readonly<Record<string, string>>;

/** Reads the values of `--header`. Throws a UsageError, which repeats no value: it may be a secret. */
export function headersOf(lines: readonly string[]): HeaderSet {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const at = line.indexOf(':');
    if (at === -1)
      throw new UsageError('--header takes a name and a value, such as "authorization: Bearer ..."');
    headers[line.slice(0, at).trim()] = line.slice(at + 1).trim();
  }
  return checked(headers, '--header');
}

/** Gives headers back that HTTP can carry. Throws a UsageError for others, which repeats no value. */
export function checked(headers: HeaderSet, where: string): HeaderSet {
  for (const [name, value] of Object.entries(headers)) {
    try {
      new Headers([[name, value]]);
    } catch {
      throw new UsageError(`${where}: ${JSON.stringify(name)} has a name or a value that no header can have`);
    }
  }
  return headers;
}

/** Both in one; where they name the same header, whatever its case, the second has it. */
export function merged(first: HeaderSet, second: HeaderSet): HeaderSet {
  const all = new Headers({ ...first });
  for (const [name, value] of Object.entries(second)) all.set(name, value);
  return Object.fromEntries(all);
}
