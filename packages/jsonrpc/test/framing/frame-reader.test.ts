import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeFrame, FrameReader } from '../../src/index.js';

function read(maxFrameBytes: number, chunks: readonly Uint8Array[]): { frames: string[]; faults: string[] } {
  const frames: string[] = [];
  const faults: string[] = [];
  const reader = new FrameReader({
    maxFrameBytes,
    onFrame: (bytes) => frames.push(new TextDecoder().decode(bytes)),
    onFault: ({ code }) => faults.push(code),
  });
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return { frames, faults };
}

function split(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let at = 0;
  for (let turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    chunks.push(bytes.slice(at, at + size));
    at += size;
  }
  return chunks;
}

describe('frames', () => {
  test('are the same in any chunks; those that are too long are skipped', () => {
    const texts = fc.array(fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }), { maxLength: 12 });
    const sizes = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(texts, sizes, (all, cuts) => {
        const stream = new Uint8Array(all.flatMap((text) => [...encodeFrame(text)]));
        const isShort = (text: string): boolean => new TextEncoder().encode(text).length <= 32;
        const decoded = all
          .filter(isShort)
          .map((text) => new TextDecoder().decode(new TextEncoder().encode(text)));
        const { frames, faults } = read(32, split(stream, cuts));
        expect(frames).toEqual(decoded.map((text) => text.replace(/^\ufeff/, '')));
        expect(faults).toEqual(all.filter((text) => !isShort(text)).map(() => 'OVERFLOW'));
      }),
    );
  });

  test.each([1, 3, 4, 5])('that end after %i bytes are truncated', (bytes) => {
    expect(read(32, [encodeFrame('ab').slice(0, bytes)])).toEqual({ frames: [], faults: ['TRUNCATED'] });
  });

  test('a callback that throws misses nothing, and stop delivers nothing more', () => {
    const frames: number[] = [];
    const reader = new FrameReader({
      maxFrameBytes: 8,
      onFrame(bytes) {
        frames.push(bytes.length);
        if (bytes.length === 1) throw new Error('one');
        if (bytes.length === 3) reader.stop();
      },
      onFault: () => undefined,
    });
    const stream = ['a', 'bb', 'ccc', 'd'].flatMap((text) => [...encodeFrame(text)]);
    expect(() => reader.push(new Uint8Array(stream))).toThrow('one');
    expect(frames).toEqual([1, 2, 3]);
    expect(() => new FrameReader({ maxFrameBytes: 0, onFrame() {}, onFault() {} })).toThrow(TypeError);
  });
});
