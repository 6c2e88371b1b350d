import { houseVersion, otherVersion } from './brand.js';
import { isObject } from './is-object.js';

/**
 * The inner side of what a package of this house makes, kept under a symbol; undefined for anything else. Throws a TypeError
 * that names both versions for what another copy made; `kind`, such as `tool`, has it name the thing as well.
 */
export function insideOf<P extends { readonly version: string }>(
  key: symbol,
  value: unknown,
  kind?: string,
): P | undefined {
  const found = isObject(value) ? ((value as Record<symbol, unknown>)[key] as P | undefined) : undefined;
  if (found === undefined || found.version === houseVersion) return found;
  const named = kind === undefined ? 'this' : `${kind} "${String((value as { name?: unknown }).name)}"`;
  throw otherVersion(named, found.version);
}
