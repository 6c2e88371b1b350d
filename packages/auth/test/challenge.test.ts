import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseChallenge } from '../src/client/challenge.js';

describe('a challenge', () => {
  it.each([
    [null, {}],
    ['', {}],
    ['Bearer', {}],
    ['Bearer scope="a b", error=invalid_token', { scope: 'a b', error: 'invalid_token' }],
    ['Basic realm="x", Bearer scope="a"', { scope: 'a' }],
    ['Basic scope="no", DPoP error="use_dpop_nonce"', { error: 'use_dpop_nonce' }],
    ['bearer RESOURCE_METADATA="https://a.test/\\"x"', { resourceMetadata: 'https://a.test/"x' }],
    ['Bearer scope="first", scope="second"', { scope: 'first' }],
    ['Bearer scope="never ends', {}],
    ['Bearer scope=" "', {}],
    ['=,=,Bearer scope="a"', {}],
  ])('%j', (header, challenge) => {
    expect(parseChallenge(header)).toEqual(challenge);
  });

  it('of 10,000 parameters is read in part', () => {
    const many = Array.from({ length: 10_000 }, (_, at) => `p${at}="x"`).join(', ');
    expect(parseChallenge(`Bearer scope="a", ${many}`)).toEqual({ scope: 'a' });
  });

  it('of any text is read without an error', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'Bearer scope="\\,= \t\u0000') }), (text) => {
        expect(Object.keys(parseChallenge(`Bearer ${text}`)).length).toBeLessThanOrEqual(3);
      }),
    );
  });
});
