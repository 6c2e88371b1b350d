import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ChunkBuffer } from '../../src/internal.js';

const kibibyte = 1_024;
const chunk = (length: number, value: number): Uint8Array => new Uint8Array(length).fill(value);

it('holds the bytes of its chunks in order, whatever their lengths', () => {
  const length = fc.constantFrom(0, 1, 300, 9 * kibibyte, 16 * kibibyte - 1, 16 * kibibyte, 20 * kibibyte);
  fc.assert(
    fc.property(fc.array(length, { maxLength: 12 }), (lengths) => {
      const buffer = new ChunkBuffer();
      const chunks = lengths.map((bytes, at) => chunk(bytes, at + 1));
      for (const one of chunks) buffer.append(one);
      const whole = Buffer.concat(chunks);
      expect(buffer.byteLength).toBe(whole.length);
      expect(Buffer.compare(buffer.toBytes(), whole)).toBe(0);
      buffer.clear();
      expect([buffer.byteLength, buffer.toBytes().length]).toEqual([0, 0]);
      buffer.append(chunk(2, 7));
      expect([...buffer.toBytes()]).toEqual([7, 7]);
    }),
  );
});

it('copies small chunks, and neither the first nor large ones', () => {
  const buffer = new ChunkBuffer();
  const [first, small, large] = [chunk(1, 1), chunk(1, 1), chunk(16 * kibibyte, 1)];
  for (const one of [first, small, large]) buffer.append(one);
  for (const one of [first, small, large]) one.fill(2);
  expect([...buffer.toBytes().subarray(0, 3)]).toEqual([2, 1, 2]);
  const only = new ChunkBuffer();
  only.append(first);
  expect(only.toBytes()).toBe(first);
});
