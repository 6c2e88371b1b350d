import type { JsonObject } from '@rxmcp/core';

/** A place that a server should work in (schema 2026-07-28 Root). Guidance: nothing enforces it. */
export interface Root {
  /** Every revision says `file:`; any valid uri is accepted when it comes from the other side. */
  readonly uri: string;
  /** For display. */
  readonly name?: string;
  readonly _meta?: JsonObject;
  readonly [member: string]: unknown;
}

/** A root as it travels: its uri in ASCII. Throws a TypeError for what is no root, or no `file:` one where that is needed. */
export function checkedRoot(root: Root, anyUri: boolean): Root {
  const problem = validateRoot(root);
  if (problem !== undefined) throw new TypeError(`a root ${problem}`);
  if (/[\p{Cc}\s"<>\\^`{|}]/u.test(root.uri)) {
    throw new TypeError(`the root ${JSON.stringify(root.uri)} has characters that a uri percent-encodes`);
  }
  if (/\p{Cs}/u.test(root.uri)) {
    throw new TypeError(`the root ${JSON.stringify(root.uri)} has half a character`);
  }
  if (!anyUri && !/^file:\/\//i.test(root.uri)) {
    throw new TypeError(
      `the root "${root.uri}" is not a file: URI, which the protocol requires; "dangerouslyAllowAnyUri" permits it`,
    );
  }
  if (hidesControls(root.uri)) {
    throw new TypeError(`the root ${JSON.stringify(root.uri)} has control characters in its path`);
  }
  if (wanders(root.uri)) {
    throw new TypeError(`the root "${root.uri}" leads elsewhere than it says: name the folder itself`);
  }
  const uri = root.uri.replace(/[^\0-\x7f]+/g, encodeURIComponent);
  return uri === root.uri ? root : { ...root, uri };
}

// Steps up and down, and separators in disguise: what a person reads must be what a server gets to.
function wanders(uri: string): boolean {
  if (!/^file:/i.test(uri)) return false;
  return /%2f/i.test(uri) || uri.split('/').some((part) => /^\.{1,2}$/.test(part.replace(/%2e/gi, '.')));
}

/** What is wrong with a root from anywhere, or undefined. */
export function validateRoot(root: unknown): string | undefined {
  if (typeof root !== 'object' || root === null || Array.isArray(root)) return 'must be an object';
  const { uri, name } = root as JsonObject;
  if (typeof uri !== 'string' || !/^[a-z][a-z0-9+.-]*:/i.test(uri) || !URL.canParse(uri)) {
    return `must have a valid "uri", not ${JSON.stringify(uri)}`;
  }
  return name === undefined || typeof name === 'string' ? undefined : 'must have a "name" that is a string';
}

/** Whether a `file:` uri means a path with control characters: no system call takes NUL, and no terminal should get the rest. */
export function hidesControls(uri: string): boolean {
  return /^file:/i.test(uri) && /\p{Cc}|%(?:[01][0-9a-f]|7f|c2%[89][0-9a-f])/iu.test(uri);
}
