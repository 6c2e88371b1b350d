import { quoted, uriLengthProblem } from '@rxmcp/core/internal';

/**
 * Normalizes a URI for comparison: scheme in lower case, non-ASCII characters percent-encoded, escapes in upper case, and
 * no escapes for letters and digits. Throws a TypeError that names what is invalid by RFC 3986. Dot segments
 * stay: their meaning depends on the scheme.
 */
export function normalUri(text: string): string {
  const problem = uriLengthProblem(text);
  if (problem !== undefined) throw new TypeError(problem);
  const scheme = schemeOf(text);
  const rest = normalCharacters(text.slice(scheme.length), text);
  checkStructure(rest, text);
  return `${scheme.toLowerCase()}${rest}`;
}

/**
 * Returns a URI as it is sent: unchanged, since servers may compare it character by character, except that non-ASCII characters
 * are percent-encoded. Throws a TypeError for an invalid URI.
 */
export function sentUri(text: string): string {
  normalUri(text);
  return text.replace(/[\u0080-\uffff]+/g, encodeURIComponent);
}

/** Returns the scheme of a URI or template, with its colon. Throws a TypeError if it has no scheme. */
export function schemeOf(text: string): string {
  const found = /^[A-Za-z][A-Za-z0-9+.-]*:/.exec(text);
  if (found !== null) return found[0];
  const named = /^([^:/?#{}]+):/.exec(text)?.[1];
  if (named === undefined)
    throw new TypeError(`${quoted(text)} is not a URI: it needs a scheme, such as "file:"`);
  throw new TypeError(
    `the scheme ${quoted(named)} of ${quoted(text)} is invalid: use ASCII letters, digits, "+", "-", "." only`,
  );
}

/** Normalizes a part of a URI; `whole` is the URI that the error names. */
export function normalCharacters(part: string, whole: string): string {
  if (plain.test(part)) return part;
  return part.replace(special, (found, hex: string | undefined) => {
    if (hex !== undefined) {
      const character = String.fromCharCode(Number.parseInt(hex, 16));
      return /[A-Za-z0-9\-._~]/.test(character) ? character : found.toUpperCase();
    }
    const encoded = found.charCodeAt(0) > 0x7f ? encodedText(found) : undefined;
    if (encoded !== undefined) return encoded;
    throw new TypeError(`${quoted(whole)} is not a URI: ${quoted(found)} must be percent-encoded`);
  });
}

/** Percent-encodes all but unreserved and a few other characters; undefined for a lone surrogate. */
export function encodedText(text: string): string | undefined {
  try {
    return encodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const plain = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]*$/;
const special = /%([0-9A-Fa-f]{2})|[\u0080-\uffff]+|[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]/g;

function checkStructure(rest: string, whole: string): void {
  if (rest.indexOf('#') !== rest.lastIndexOf('#'))
    throw new TypeError(`${quoted(whole)} is not a URI: it has two "#"`);
  const authority = rest.startsWith('//') ? (/^[^/?#]*/.exec(rest.slice(2))?.[0] ?? '') : undefined;
  if (authority !== undefined && !authorities.test(authority)) {
    throw new TypeError(
      `${quoted(whole)} is not a URI: ${quoted(authority)} is not a host, optionally with a user name before it and a port of digits after it`,
    );
  }
  if (/[[\]]/.test(rest.slice(authority === undefined ? 0 : 2 + authority.length))) {
    throw new TypeError(
      `${quoted(whole)} is not a URI: "[" and "]" must be percent-encoded outside the host`,
    );
  }
}

/** RFC 3986 section 3.2. What may stand between the brackets is not looked at more closely. */
const authorities = /^(?:[^@[\]]*@)?(?:\[[\dA-Fa-fVv:.~_!$&'()*+,;=-]+\]|[^@:[\]]*)(?::\d*)?$/;
