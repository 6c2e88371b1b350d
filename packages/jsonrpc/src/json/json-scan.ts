/**
 * Returns the index of the quote that closes the JSON string that opens at `start`, or the text's length when it is never closed.
 * Mostly the next quote closes it; after a backslash the string is read character by character.
 */
export function endOfString(text: string, start: number): number {
  const quote = text.indexOf('"', start + 1);
  if (quote >= 0 && text.charCodeAt(quote - 1) !== 0x5c) return quote;
  if (quote >= 0) {
    for (let at = start + 1; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === 0x22) return at;
      if (code === 0x5c) at++;
    }
  }
  return text.length;
}

/**
 * Calls back with each member of the objects at one depth: its name in quotes, as it is written, and where its value begins. The text
 * need not be whole. `begun` is called for each of the objects. Linear in the text.
 */
export function walkMembers(
  text: string,
  objectDepth: number,
  member: (quotedName: string, valueAt: number) => void,
  begun?: () => void,
): void {
  let depth = 0;
  let isObject = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      const end = endOfString(text, at);
      // A string is a member's name exactly when a colon follows it.
      const colon = depth === objectDepth && isObject ? nextVisible(text, end + 1) : -1;
      if (colon >= 0 && text.charCodeAt(colon) === 0x3a)
        member(text.slice(at, end + 1), nextVisible(text, colon + 1));
      at = end;
    } else if (code === 0x7b || code === 0x5b) {
      if (++depth !== objectDepth) continue;
      isObject = code === 0x7b;
      begun?.();
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
}

/** Returns the index of the next character that is not white space. */
export function nextVisible(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) <= 0x20) at++;
  return at;
}
