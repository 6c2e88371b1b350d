import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countUtf8Bytes, exceedsBytes, utf8Bytes } from '../../src/base/message-size.js';

const text = fc.string({ unit: 'binary' });
const encoded = (value: string): number => new TextEncoder().encode(value).length;

test.each([utf8Bytes, countUtf8Bytes])(
  'the size is that of the encoded text, lone surrogates included',
  (size) => {
    fc.assert(fc.property(text, (value) => size(value) === encoded(value)));
    for (const value of ['\ud800', '\udc00x', '\ud800\ud800\udc00', 'é€𝄞'])
      expect(size(value)).toBe(encoded(value));
  },
);

test('a limit is exceeded by one byte', () => {
  fc.assert(
    fc.property(text, fc.nat(40), (value, limit) => exceedsBytes(value, limit) === encoded(value) > limit),
  );
});
