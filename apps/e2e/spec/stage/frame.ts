/** One message on the wire, as it may look. */
export interface Frame {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** The revision in which every request names its client. */
export const modern = '2026-07-28';
/** The revisions with a handshake, newest first. */
export const legacy: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

const prefix = 'io.modelcontextprotocol/';

/** The `_meta` of a modern request. */
export function metaOf(capabilities: object = {}, more: object = {}): object {
  return {
    [`${prefix}protocolVersion`]: modern,
    [`${prefix}clientInfo`]: { name: 'raw', version: '1' },
    [`${prefix}clientCapabilities`]: capabilities,
    ...more,
  };
}

/** The full name of a member of `_meta`. */
export function key(name: string): string {
  return prefix + name;
}

/** A member of an object that came over the wire; undefined where it is missing. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((found, step) => (found as Record<string, unknown> | undefined)?.[step], value);
}
