import fc from 'fast-check';
import { expect, it } from 'vitest';
import { find, needle } from '../src/uri/match.js';
import { rounds } from '../../../../vitest.rounds.js';

const text = (minLength: number, maxLength: number) =>
  fc.array(fc.constantFrom('a', 'b'), { minLength, maxLength }).map((letters) => letters.join(''));

it('finds the first place that it may', () => {
  fc.assert(
    fc.property(text(1, 6), text(0, 24), fc.nat(8), fc.nat(5), (sought, inside, from, forbidden) => {
      let place = inside.indexOf(sought, from);
      const may = (start: number, end: number): boolean => {
        expect(inside.slice(start, end)).toBe(sought);
        return start % 6 !== forbidden;
      };
      expect(find(needle(sought), inside, from)).toBe(place);
      while (place >= 0 && !may(place, place + sought.length)) place = inside.indexOf(sought, place + 1);
      expect(find(needle(sought), inside, from, may)).toBe(place);
    }),
    { numRuns: rounds(2_000) },
  );
});
