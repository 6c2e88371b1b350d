import { ChunkBuffer } from '@rxmcp/transport/internal';
import { describe, expect, test } from 'vitest';
import { inOwnProcess } from '../../../../vitest.process.js';

const fixture = (name: string): URL => new URL(`./fixtures/${name}.ts`, import.meta.url);

describe('a body in small chunks', () => {
  test('takes about as much memory as its bytes, and arrives', async () => {
    const found = await inOwnProcess<{ status: number; arrived: boolean; grownMiB: number }>(
      fixture('chunked'),
    );
    expect(found).toMatchObject({ status: 202, arrived: true });
    expect(found.grownMiB).toBeLessThan(32);
  });

  test('does the same between Request and Response, and keeps no buffer that a byte was cut from', async () => {
    const { bytes, grownMiB } = await inOwnProcess<{ bytes: number[]; grownMiB: number }>(fixture('bytes'));
    // All of them would be 62 MiB; some are released a little later.
    expect(grownMiB).toBeLessThan(50);
    expect(bytes).toEqual(Array.from({ length: 1_000 }, (_, at) => (at + 1) % 127));
  });
});

test.each([
  ['one', [5]],
  ['none', []],
  ['small ones', [1, 2, 3, 16_000, 500, 1]],
  ['large ones', [20_000, 70_000, 16_384]],
  ['both by turns', [1, 16_384, 1, 1, 40_000, 9_000, 9_000, 9_000, 3]],
])('a message in %s is the same as a whole one', (_, lengths) => {
  const pieces = new ChunkBuffer();
  const chunks = lengths.map((length, at) =>
    new Uint8Array(length).map((_zero, byte) => (at * 7 + byte) % 256),
  );
  for (const chunk of chunks) pieces.append(chunk);
  expect(Buffer.compare(pieces.toBytes(), Buffer.concat(chunks))).toBe(0);
  pieces.clear();
  expect([pieces.byteLength, pieces.toBytes().length]).toEqual([0, 0]);
});
