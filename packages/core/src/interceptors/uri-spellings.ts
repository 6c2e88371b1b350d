/** The ways of writing one uri that a server takes for the same: as it was given, and in its normal form (RFC 3986 6.2.2). */
export function spellings(uri: string): readonly string[] {
  const normal = uri
    .replace(/^[A-Za-z][A-Za-z0-9+.-]*:/, (scheme) => scheme.toLowerCase())
    .replace(/%([0-9A-Fa-f]{2})/g, (found, hex: string) => {
      const character = String.fromCharCode(Number.parseInt(hex, 16));
      return /[A-Za-z0-9\-._~]/.test(character) ? character : found.toUpperCase();
    })
    .replace(/[\u0080-\uffff]+/g, encoded);
  return normal === uri ? [uri] : [uri, normal];
}

function encoded(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    // Half a character: no server has such a uri.
    return text;
  }
}
