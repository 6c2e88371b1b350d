import { describe, expect, it } from 'vitest';
import { fromBase64, isBase64 } from '../../src/internal.js';

describe('base64', () => {
  it.each(['', 'AAAA', 'AAA=', 'AA==', 'ab+/'])('is "%s"', (text) => {
    expect(isBase64(text)).toBe(true);
    expect(fromBase64(text)).toBeInstanceOf(Uint8Array);
  });

  it.each(['A', 'AAA', 'AAA!', '!!!!', 'AA!=', 'A!==', '====', 'A===', '=AAA', 'AA=A', 'ab-_'])(
    'is not "%s"',
    (text) => {
      expect(isBase64(text)).toBe(false);
      expect(fromBase64(text)).toBeUndefined();
    },
  );
});
