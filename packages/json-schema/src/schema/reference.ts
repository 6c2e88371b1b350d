import { maxNameLength } from './options.js';
import { JsonSchemaError, shown } from './schema-error.js';

/** An absolute reference or `$id`. */
interface FullName {
  readonly resource: string;
  /** The text after the `#`. */
  readonly fragment: string;
}

/** The name of a document without an `$id`. */
export const unnamedDocument = 'json-schema:///';

/**
 * Resolves a reference. Throws SCHEMA_UNRESOLVED_REF for an invalid one, and SCHEMA_INVALID for a long one: parsing may take time
 * in the square of its length, and each reference relative to it is as long.
 */
export function absolute(reference: string, base: string, at: string): FullName {
  const hash = reference.indexOf('#');
  const name = hash < 0 ? reference : reference.slice(0, hash);
  const fragment = decoded(reference.slice(name.length + 1));
  if (name === '') return { resource: base, fragment };
  const resource = name.length > maxNameLength ? name : href(name, base, at);
  if (resource.length > maxNameLength)
    throw new JsonSchemaError('SCHEMA_INVALID', at, `in full it is longer than ${maxNameLength} characters`);
  return { resource, fragment };
}

function href(name: string, base: string, at: string): string {
  try {
    return new URL(name, base).href;
  } catch (cause) {
    throw new JsonSchemaError('SCHEMA_UNRESOLVED_REF', at, `${shown(name)} is not a reference`, cause);
  }
}

/** The name as written, as far as it is known. */
export function relativeName(name: string): string {
  return name.startsWith(unnamedDocument) ? name.slice(unnamedDocument.length) : name;
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
