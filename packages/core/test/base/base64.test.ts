import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';

afterEach(() => void vi.unstubAllGlobals());

describe.each(['in Node', 'in browsers'])('base64 %s', (place) => {
  const load = async () => {
    vi.resetModules();
    if (place === 'in browsers') vi.stubGlobal('Buffer', undefined);
    const loaded = await import('../../src/base/base64.js');
    vi.unstubAllGlobals();
    return loaded;
  };

  it.each(['', 'AAAA', 'AAA=', 'AA==', 'ab+/'])('is "%s"', async (text) => {
    const { fromBase64, isBase64 } = await load();
    expect(isBase64(text)).toBe(true);
    expect(fromBase64(text)).toBeInstanceOf(Uint8Array);
  });

  it.each(['A', 'AAA', 'AAA!', '!!!!', 'AA!=', 'A!==', '====', 'A===', '=AAA', 'AA=A', 'ab-_'])(
    'is not "%s"',
    async (text) => {
      const { fromBase64, isBase64 } = await load();
      expect(isBase64(text)).toBe(false);
      expect(fromBase64(text)).toBeUndefined();
    },
  );

  it('returns the bytes that were encoded, also those of a part of a buffer', async () => {
    const { fromBase64, fromBase64Url, toBase64, toBase64Url } = await load();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 20_000 }), fc.nat(9), (all, start) => {
        const bytes = all.subarray(start);
        const text = toBase64(bytes);
        expect(text).toBe(Buffer.from(bytes).toString('base64'));
        expect(toBase64Url(bytes)).toBe(Buffer.from(bytes).toString('base64url'));
        expect(fromBase64(text)).toEqual(bytes.slice());
        expect(fromBase64Url(toBase64Url(bytes))).toEqual(bytes.slice());
      }),
      { numRuns: 50 },
    );
  });

  it.each(['AB', 'AA==', 'AA ', 'A', 'a+/b', 'AAA!'])('for URLs is not "%s"', async (text) => {
    const { fromBase64Url } = await load();
    expect(fromBase64Url(text)).toBeUndefined();
  });
});
