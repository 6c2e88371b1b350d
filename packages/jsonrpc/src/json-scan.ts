/**
 * Finds the closing quote of the JSON string that opens at `start`; the text's length when it is never closed.
 * The next quote mostly is the closing one; a backslash before it makes the string be read letter by letter.
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
