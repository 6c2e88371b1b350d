import { isObject } from './checks.js';

/** The house has one version; a changesets release keeps this line and the package.json files equal. */
export const libraryVersion = '0.1.0';

const offerBrand = Symbol.for('rxmcp.offer');
const errorBrand = Symbol.for('rxmcp.error');

/** Marks an object as made by this copy of the house. */
export function brandOffer<T extends object>(value: T): T {
  Object.defineProperty(value, offerBrand, { value: libraryVersion });
  return value;
}

/** Throws a TypeError naming both versions when `value` was made by another copy, or by no copy at all. */
export function checkOffer(value: unknown, where: string): void {
  const version = (value as Record<symbol, unknown> | null | undefined)?.[offerBrand];
  if (version === libraryVersion) return;
  if (typeof version === 'string') throw versionMismatch(where, version);
  throw new TypeError(
    `${where} is not an offer: pass the result of offerTools(...), offerResources(...), offerMethod(...) or a similar function`,
  );
}

/** The error for what another copy of the house made. */
export function versionMismatch(what: string, version: string): TypeError {
  return new TypeError(
    `${what} was made by rxmcp ${version}, this is ${libraryVersion}: install one version only`,
  );
}

/** Marks an error with the name of its class, so that another copy recognises it. */
export function brandError(error: Error, kind: string): void {
  Object.defineProperty(error, errorBrand, { value: kind });
}

/** The class name that an error of any copy carries. */
export function errorKind(value: unknown): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Record<symbol, unknown>)[errorBrand]
    : undefined;
}

/**
 * The inner side of what a package of this house makes, kept under a symbol; undefined for anything else. Throws a TypeError
 * that names both versions for what another copy made; `kind`, such as `tool`, has it name the thing as well.
 */
export function readInternals<P extends { readonly version: string }>(
  key: symbol,
  value: unknown,
  kind?: string,
): P | undefined {
  const found = isObject(value) ? ((value as Record<symbol, unknown>)[key] as P | undefined) : undefined;
  if (found === undefined || found.version === libraryVersion) return found;
  const named = kind === undefined ? 'this' : `${kind} "${String((value as { name?: unknown }).name)}"`;
  throw versionMismatch(named, found.version);
}
