import { rejectUnknownOptions } from '@rxmcp/transport/internal';

/** Checks the options of a server or client that plain JavaScript gets wrong. Throws a TypeError that says what to pass. */
export function checkDefinition(
  where: string,
  options: unknown,
  known: Readonly<Record<string, true>>,
  alike?: Readonly<Record<string, string>>,
): void {
  if (typeof options !== 'object' || options === null)
    throw new TypeError(`${where} needs options: ${example}`);
  const { info } = options as { info?: { name?: unknown; version?: unknown } | null };
  if (typeof info?.name !== 'string' || typeof info.version !== 'string')
    throw new TypeError(`${where} needs a name and a version: ${example}`);
  rejectUnknownOptions(where, options, known, alike);
}

const example = "{ info: { name: 'my-app', version: '1.0.0' } }";
