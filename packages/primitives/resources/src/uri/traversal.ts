/** Where a variable stands: in one segment, as one of the segments of `{/v}`, over many, or behind the path. */
export type Place = 'segment' | 'whole' | 'path' | 'query';

/**
 * Says why a value is refused that could lead out of where it belongs, once somebody makes a path of it; undefined for a
 * harmless one. `raw` is the value as it stands in the uri.
 */
export function escapeOf(name: string, place: Place, raw: string, value: string): string | undefined {
  if (value.includes('\0')) return `"${name}" holds a NUL character`;
  if (value.includes('\\')) return `"${name}" holds a backslash`;
  if (place !== 'path' && place !== 'query' && slash.test(raw)) {
    return `"${name}" holds an encoded slash; a template with {+${name}} takes values of many segments`;
  }
  if (/(?:^|\/)\.\.(?:\/|$)/.test(value)) return `"${name}" holds a ".." segment`;
  if (place === 'query' || place === 'segment') return undefined;
  // A second spelling of one path would pass by whoever judges uris by their text.
  if (/(?:^|\/)\.(?:\/|$)/.test(value)) return `"${name}" holds a "." segment`;
  if (place === 'whole') return undefined;
  if (value.startsWith('/')) return `"${name}" is an absolute path`;
  if (/^[A-Za-z]:/.test(value)) return `"${name}" begins with a drive`;
  if (slash.test(raw)) return `"${name}" holds an encoded slash; the slashes of {+${name}} stand as they are`;
  return value.includes('//') ? `"${name}" holds an empty segment` : undefined;
}

const slash = /%2f/i;
