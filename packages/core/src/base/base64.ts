/** Whether a text is base64 with padding (RFC 4648 section 4). Takes time proportional to its length. */
export function isBase64(text: string): boolean {
  return text.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(text.replace(/==?$/, ''));
}

/** That of Node, whose `btoa` and `atob` take 50 ns for each byte; undefined in browsers. */
const { Buffer } = globalThis as {
  Buffer?: {
    from(bytes: ArrayBufferLike, offset: number, length: number): { toString(encoding: 'base64'): string };
    from(text: string, encoding: 'base64'): Uint8Array;
  };
};

/** Encodes bytes as base64. */
export function toBase64(bytes: Uint8Array): string {
  if (Buffer) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
  let binary = '';
  // In slices, because spreading a large array overflows the stack.
  for (let at = 0; at < bytes.length; at += 8_192) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  }
  return btoa(binary);
}

/** Encodes bytes as base64 for URLs, without padding (RFC 4648 section 5). */
export function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Decodes base64 for URLs, without padding. Returns undefined for any other text. */
export function fromBase64Url(text: string): Uint8Array | undefined {
  const bytes = fromBase64(text.replaceAll('-', '+').replaceAll('_', '/') + '='.repeat(-text.length & 3));
  return bytes && toBase64Url(bytes) === text ? bytes : undefined;
}

/** Decodes base64. Returns undefined for a text that is not base64. */
export function fromBase64(text: string): Uint8Array | undefined {
  if (!isBase64(text)) return undefined;
  // A copy: small ones share their memory.
  if (Buffer) return new Uint8Array(Buffer.from(text, 'base64'));
  return Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
}
