import { isObject } from './checks.js';

/** All packages share one version. A changesets release keeps this line and the package.json files equal. */
export const libraryVersion = '0.1.0';

const offerBrand = Symbol.for('rxmcp.offer');
const errorBrand = Symbol.for('rxmcp.error');

/** Marks an offer as made by this copy of the library. */
export function brandOffer<T extends object>(value: T): T {
  Object.defineProperty(value, offerBrand, { value: libraryVersion });
  return value;
}

/** Throws a TypeError for a value that is not an offer, and one that names both versions for an offer of another copy. */
export function checkOffer(value: unknown, where: string): void {
  const version = (value as Record<symbol, unknown> | null | undefined)?.[offerBrand];
  if (version === libraryVersion) return;
  if (typeof version === 'string') throw versionMismatch(where, version);
  throw new TypeError(
    `${where} is not an offer: pass the result of offerTools(...), offerResources(...), offerMethod(...) or a similar function`,
  );
}

/** Creates the error for an object that another copy of the library made. */
export function versionMismatch(what: string, version: string): TypeError {
  return new TypeError(
    `${what} was made by rxmcp ${version}, this is ${libraryVersion}: install one version only`,
  );
}

/** Marks an error with the name of its class, so that other copies of the library recognise it. */
export function brandError(error: Error, kind: string): void {
  Object.defineProperty(error, errorBrand, { value: kind });
}

/** Returns the class name that {@link brandError} gave to an error in any copy of the library. */
export function errorKind(value: unknown): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Record<symbol, unknown>)[errorBrand]
    : undefined;
}

/**
 * Returns the internals of an object that one of the packages made, or undefined for any other value. The internals
 * lie under a symbol.
 * @param kind - names the object in the error, such as `tool`
 * @throws TypeError that names both versions when another copy of the library made the object
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
