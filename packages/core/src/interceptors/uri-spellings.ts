/**
 * The ways of writing one uri that a server may take for the same: as it was given, in its normal form (RFC 3986 6.2.2), and with
 * the path that a file system would see, `%2F` for a slash and neither dots nor empty segments.
 */
export function spellings(uri: string): readonly string[] {
  const normal = normalForm(uri);
  return [...new Set([uri, normal, walked(normal)])];
}

/** The normal form of a uri (RFC 3986 6.2.2): two of the same normal form are the same uri. */
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
 * The path of a normal form as a file system would see it, which different uris can share. What follows `?` or `#` is not a path, and
 * may hold the text of another uri.
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
    // Half a character: no server has such a uri.
    return text;
  }
}
