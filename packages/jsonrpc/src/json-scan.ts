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
