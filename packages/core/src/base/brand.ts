import { isObject } from './checks.js';

/** All packages share one version. A changesets release keeps this line and the package.json files equal. */
export const libraryVersion = '0.1.0';

/**
 * Stands for this copy of the library. Copies share neither classes nor state, even if their versions are equal: objects of
 * one would lose checks of access in another.
 */
export const libraryCopy: LibraryCopy = Object.freeze({ version: libraryVersion });

/** A loaded copy of the library. */
export interface LibraryCopy {
  readonly version: string;
}

const offerBrand = Symbol.for('rxmcp.offer');
const errorBrand = Symbol.for('rxmcp.error');

/** Marks an offer as made by this copy of the library. */
export function brandOffer<T extends object>(value: T): T {
  Object.defineProperty(value, offerBrand, { value: libraryCopy });
  return value;
}

/** Throws a TypeError for a value that is not an offer, and one that names the fix for an offer of another copy. */
export function checkOffer(value: unknown, where: string): void {
  const copy = (value as Record<symbol, LibraryCopy | undefined> | null | undefined)?.[offerBrand];
  if (copy !== undefined) return checkCopy(where, copy);
  throw new TypeError(`${where} is not an offer: pass the result of a function such as offerTools`);
}

/** Throws a TypeError for an object that another copy of the library made. */
export function checkCopy(what: string, copy: LibraryCopy): void {
  if (copy === libraryCopy) return;
  throw new TypeError(
    `${what} was made by another copy of @rxmcp/core (${copy.version}, this is ${libraryVersion}). See "npm ls @rxmcp/core"; "npm dedupe" leaves one`,
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
 * @throws TypeError that names the fix when another copy of the library made the object
 */
export function readInternals<P extends { readonly copy: LibraryCopy }>(
  key: symbol,
  value: unknown,
  kind?: string,
): P | undefined {
  const found = isObject(value) ? ((value as Record<symbol, unknown>)[key] as P | undefined) : undefined;
  if (found !== undefined) checkCopy(described(value, kind), found.copy);
  return found;
}

function described(value: unknown, kind = 'item'): string {
  const { name, info } = value as { readonly name?: string; readonly info?: { readonly name?: string } };
  return `${kind} "${name ?? info?.name}"`;
}
