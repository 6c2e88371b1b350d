const maxShown = 200;

/** Returns a text of a peer that is safe to print, in quotes: control and direction characters escaped, at most 200 characters. */
export function shown(text: string): string {
  return cut(escaped(JSON.stringify(text.slice(0, maxShown))), text);
}

/** Returns the same as {@link shown}, without quotes. */
export function printable(text: string): string {
  return cut(escaped(text.slice(0, maxShown)), text);
}

function cut(safe: string, text: string): string {
  return safe.length > maxShown || text.length > maxShown ? `${safe.slice(0, maxShown - 1)}…` : safe;
}

// JSON leaves DEL, the C1 controls and the separators of lines and directions as they are.
function escaped(text: string): string {
  return text.replace(
    /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
