/** The place in a list that a cursor names: after one entry and, should that be gone by then, before another one. */
export interface Place {
  readonly after: string;
  readonly before?: string | undefined;
}

/** Longest key that has a cursor: clients take cursors of 65,536 characters, and this one may come to six times its length. */
const maxKey = 8_192;

/**
 * Makes the cursor of a place in the list of a method; undefined where that would be too long. It holds all there is to know, so
 * any process that offers the same list can go on from it.
 */
export function cursorOf(method: string, { after, before }: Place): string | undefined {
  if (after.length > maxKey) return undefined;
  const known = before === undefined || before.length > maxKey ? [method, after] : [method, after, before];
  let binary = '';
  // Escaped, so that a name which is no well-formed text comes back as it was.
  for (const byte of new TextEncoder().encode(JSON.stringify(known))) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Reads a cursor of this method's list; undefined for one of another list, and for anything that {@link cursorOf} did not make. */
export function placeOf(method: string, cursor: string): Place | undefined {
  let known: unknown;
  try {
    const binary = atob(cursor.replaceAll('-', '+').replaceAll('_', '/'));
    known = JSON.parse(new TextDecoder().decode(Uint8Array.from(binary, (one) => one.charCodeAt(0))));
  } catch {
    return undefined;
  }
  if (!Array.isArray(known)) return undefined;
  const [of, after, before] = known as readonly unknown[];
  if (of !== method || typeof after !== 'string') return undefined;
  if (before !== undefined && typeof before !== 'string') return undefined;
  const place = { after, before };
  // One place has one cursor: other spellings of it are made up.
  return cursorOf(method, place) === cursor ? place : undefined;
}
