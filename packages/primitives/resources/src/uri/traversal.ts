/** Where a variable stands: in one segment, over many, or behind the path. */
export type Place = 'segment' | 'path' | 'query';

/**
 * Says why a value is refused that could lead out of where it belongs, once somebody makes a path of it; undefined for a
 * harmless one. `raw` is the value as it stands in the uri.
 */
export function escapeOf(name: string, place: Place, raw: string, value: string): string | undefined {
  if (value.includes('\0')) return `"${name}" holds a NUL character`;
  if (value.includes('\\')) return `"${name}" holds a backslash`;
  if (place === 'segment' && /%2f/i.test(raw)) {
    return `"${name}" holds an encoded slash; a template with {+${name}} takes values of many segments`;
  }
  if (/(?:^|\/)\.\.(?:\/|$)/.test(value)) return `"${name}" holds a ".." segment`;
  if (place !== 'path') return undefined;
  if (value.startsWith('/')) return `"${name}" is an absolute path`;
  return /^[A-Za-z]:/.test(value) ? `"${name}" begins with a drive` : undefined;
}
