import { UsageError } from '@rxmcp/app-serving/usage-error';

/** Headers by their names. */
export type HeaderSet = Readonly<Record<string, string>>;

/** Reads the values of `--header`. Throws a UsageError that contains no value, which may be a secret. */
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

/** Returns headers that are valid in HTTP. Throws a UsageError for others, which contains no value. */
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

/** Merges headers; names are compared without case, and the second value wins. */
export function merged(first: HeaderSet, second: HeaderSet): HeaderSet {
  const all = new Headers({ ...first });
  for (const [name, value] of Object.entries(second)) all.set(name, value);
  return Object.fromEntries(all);
}
