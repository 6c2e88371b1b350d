import type { JsonObject } from '@rxmcp/core';
import { describeValue, uriLengthProblem } from '@rxmcp/core/internal';

/**
 * A folder or other place that a server should work in. The protocol does not enforce it.
 * @see Schema 2026-07-28 Root
 */
export interface Root {
  /** Every revision requires `file:`; any valid URI is accepted from the other side. */
  readonly uri: string;
  /** For display. */
  readonly name?: string;
  readonly _meta?: JsonObject;
  readonly [member: string]: unknown;
}

/** Returns a root as it is sent, with its URI in ASCII. Throws a TypeError for an invalid root, and, unless `anyUri`, for a scheme other than `file:`. */
export function checkedRoot(root: Root, anyUri: boolean): Root {
  const problem = validateRoot(root);
  if (problem !== undefined) throw new TypeError(`a root ${problem}`);
  if (/[\p{Cc}\s"<>\\^`{|}]/u.test(root.uri)) {
    throw new TypeError(`the root ${JSON.stringify(root.uri)} has characters that must be percent-encoded`);
  }
  if (/\p{Cs}/u.test(root.uri)) {
    throw new TypeError(`the root ${JSON.stringify(root.uri)} has a lone surrogate`);
  }
  if (!anyUri && !/^file:\/\//i.test(root.uri)) {
    throw new TypeError(
      `the root "${root.uri}" is not a file: URI, which the protocol requires; "dangerouslyAllowAnyUri" permits it`,
    );
  }
  if (hidesControls(root.uri)) {
    throw new TypeError(`the root ${JSON.stringify(root.uri)} has control characters in its path`);
  }
  if (isIndirect(root.uri)) {
    throw new TypeError(
      `the root "${root.uri}" has "." or ".." segments or encoded slashes: name the folder itself`,
    );
  }
  const uri = root.uri.replace(/[^\0-\x7f]+/g, encodeURIComponent);
  return uri === root.uri ? root : { ...root, uri };
}

// Relative segments and encoded slashes: the folder that a person reads must be the one that a server opens.
function isIndirect(uri: string): boolean {
  if (!/^file:/i.test(uri)) return false;
  return /%2f/i.test(uri) || uri.split('/').some((part) => /^\.{1,2}$/.test(part.replace(/%2e/gi, '.')));
}

/** Returns the problem of a root, or undefined for a valid one. */
export function validateRoot(root: unknown): string | undefined {
  if (typeof root !== 'object' || root === null || Array.isArray(root)) return 'must be an object';
  const { uri, name } = root as JsonObject;
  if (typeof uri !== 'string' || !/^[a-z][a-z0-9+.-]*:/i.test(uri) || !URL.canParse(uri)) {
    return `must have a valid "uri", not ${describeValue(uri)}`;
  }
  const problem = uriLengthProblem(uri);
  if (problem !== undefined) return `is invalid: ${problem}`;
  return name === undefined || typeof name === 'string' ? undefined : 'must have a "name" that is a string';
}

/** Whether the path of a `file:` URI has control characters: no system call takes NUL, and the others could steer a terminal. */
export function hidesControls(uri: string): boolean {
  return /^file:/i.test(uri) && /\p{Cc}|%(?:[01][0-9a-f]|7f|c2%[89][0-9a-f])/iu.test(uri);
}
