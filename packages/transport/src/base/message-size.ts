/** Returns whether a text has more than `maxBytes` bytes as UTF-8. Texts that are too short for that are not scanned. */
export function exceedsBytes(text: string, maxBytes: number): boolean {
  if (text.length * 3 <= maxBytes) return false;
  return text.length > maxBytes || utf8Bytes(text) > maxBytes;
}

/** Returns the number of bytes of a text as UTF-8. */
export const utf8Bytes: (text: string) => number =
  (globalThis as { Buffer?: { byteLength?: (text: string) => number } }).Buffer?.byteLength ?? countUtf8Bytes;

/** Counts where there is no native function, as in browsers. */
export function countUtf8Bytes(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    // A surrogate is half of a four-byte character, or alone becomes the three bytes of U+FFFD.
    const isPair = unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00;
    if (isPair) i += 1;
    bytes += unit < 0x800 ? 1 : 2;
  }
  return bytes;
}
