/**
 * Finds the closing quote of the JSON string that opens at `start`; the text's length when it is never closed.
 * Linear: quotes are found by `indexOf`, and each run of backslashes is counted once.
 */
export function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let before = quote - 1;
    while (before > start && text.charCodeAt(before) === 0x5c) before--;
    if ((quote - before) % 2 === 1) return quote;
  }
  return text.length;
}
