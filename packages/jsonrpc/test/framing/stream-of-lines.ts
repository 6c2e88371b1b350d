import { LineReader } from '../../src/index.js';

/** What a reader said: a line as its text, a fault as its code between angle brackets. */
export function read(chunks: readonly Uint8Array[], maxBytes = 1_000): string[] {
  return readBy((reader) => {
    for (const chunk of chunks) reader.push(chunk);
  }, maxBytes);
}

/** The same where every chunk comes in one buffer, behind which the rest of earlier ones is left. */
export function readByOneBuffer(chunks: readonly Uint8Array[]): string[] {
  const buffer = new Uint8Array(Math.max(0, ...chunks.map(({ length }) => length)) + 1).fill(0x0a);
  return readBy((reader) => {
    for (const chunk of chunks) {
      buffer.set(chunk);
      reader.push(buffer, chunk.length);
    }
  }, 1_000);
}

function readBy(push: (reader: LineReader) => void, maxBytes: number): string[] {
  const said: string[] = [];
  const reader = new LineReader({
    maxLineBytes: maxBytes,
    onLine: (text) => said.push(text),
    onFault: (error) => said.push(`<${error.code}>`),
  });
  push(reader);
  reader.end();
  return said;
}

/** The bytes of a text, or of a list of texts and byte values. */
export function bytes(...parts: readonly (string | number)[]): Uint8Array {
  return new Uint8Array(
    Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.of(part)))),
  );
}

/** Cuts bytes at the given offsets. */
export function cutAt(whole: Uint8Array, ...offsets: readonly number[]): Uint8Array[] {
  const ends = [...offsets].sort((a, b) => a - b);
  return [...ends, whole.length].map((end, index) => whole.slice(ends[index - 1] ?? 0, end));
}
