import { checkUriLength } from '../base/key-length.js';

/**
 * Throws INVALID_PARAMS for a URI that is too long. Otherwise returns the spellings of it that a server may treat as equal: as given, normalized (RFC 3986 section 6.2.2),
 * as `fetch` would request it, and each as the path that a file system would see, with `%2F` as a slash and without
 * dot or empty segments.
 */
export function spellings(uri: string): readonly string[] {
  checkUriLength('authorization', uri);
  const normal = normalForm(uri);
  const requested = normalForm(requestedForm(uri));
  return [...new Set([uri, normal, walked(normal), requested, walked(requested)])];
}

/** Returns what rules that begin with a prefix of URIs must compare, so that no spelling of the prefix escapes them. */
export function prefixSpellings(prefix: string): readonly string[] {
  // A parser changes a host or a path that ends too early, so one more character completes them.
  const end = parse(`${prefix}z`) === undefined ? '/z' : 'z';
  const found = spellings(prefix + end).map((uri) => (uri.endsWith(`${end}/`) ? uri.slice(0, -1) : uri));
  return [
    ...new Set([prefix, ...found.filter((uri) => uri.endsWith(end)).map((uri) => uri.slice(0, -end.length))]),
  ];
}

/**
 * Returns the URI of what is requested or opened: the host in lower case and without a final dot, no default port, no
 * `localhost` in `file:`, no credentials, no fragment. Other schemes have other rules for hosts, so their URIs stay.
 */
function requestedForm(uri: string): string {
  const url = parse(uri);
  if (url === undefined || !/^(?:file|ftp|https?|wss?):$/.test(url.protocol)) return uri;
  url.hash = '';
  // The path of a file ends before the query.
  if (url.protocol === 'file:') url.search = '';
  else Object.assign(url, { username: '', password: '', hostname: url.hostname.replace(/\.$/, '') });
  return url.href;
}

function parse(uri: string): URL | undefined {
  try {
    return new URL(uri);
  } catch {
    return undefined;
  }
}

/** Returns the normal form of a URI (RFC 3986 section 6.2.2). Equal URIs have the same normal form. */
export function normalForm(uri: string): string {
  return uri
    .replace(/^[A-Za-z][A-Za-z0-9+.-]*:/, (scheme) => scheme.toLowerCase())
    .replace(/%([0-9A-Fa-f]{2})/g, (found, hex: string) => {
      const character = String.fromCharCode(Number.parseInt(hex, 16));
      return /[A-Za-z0-9\-._~]/.test(character) ? character : found.toUpperCase();
    })
    .replace(/[\u0080-\uffff]+/g, encoded);
}

const parts = /^([a-z][a-z0-9+.-]*:)?(\/\/(?!\.{1,2}(?:\/|$))[^/]*|\/\/)?(.*)$/s;

/**
 * Returns a normalized URI with its path as a file system would see it. Different URIs can share it. Text after `?`
 * or `#` is not part of the path, and may contain the text of another URI.
 */
export function walked(normal: string): string {
  const end = normal.search(/[?#]/);
  const [before, after] = end < 0 ? [normal, ''] : [normal.slice(0, end), normal.slice(end)];
  const found = parts.exec(before.replace(/%2F/g, '/'));
  const [, scheme = '', authority = '', path = ''] = found ?? [];
  const left: string[] = [];
  const segments = path.split('/');
  for (const segment of segments) {
    if (segment === '..') left.pop();
    else if (segment !== '' && segment !== '.') left.push(segment);
  }
  const open = path.startsWith('/') ? '/' : '';
  const close = left.length > 0 && segments.at(-1) === '' ? '/' : '';
  return `${scheme}${authority}${open}${left.join('/')}${close}${after}`;
}

function encoded(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    // An incomplete UTF-8 sequence: no server has such a URI.
    return text;
  }
}
