import { describe, expect, it } from 'vitest';
import { checkOffer, libraryCopy, readInternals } from '../../src/base/brand.js';
import { defineOffer, getRemoteLink, perRemote } from '../../src/internal.js';
import { connected, rawServer } from '../rig/raw-server.js';

const key = Symbol('internals');
const other = { version: '9.9.9' } as typeof libraryCopy;
const copies = /was made by another copy of @rxmcp\/core \(9\.9\.9, this is \d/;

describe('what another copy of the library made', () => {
  it('is named by its kind and name', () => {
    const own = { name: 'a', [key]: { copy: libraryCopy, n: 1 } };
    expect(readInternals(key, own)).toEqual({ copy: libraryCopy, n: 1 });
    for (const value of [undefined, null, 'a', {}]) expect(readInternals(key, value)).toBeUndefined();
    const foreign = { [key]: { copy: other } };
    expect(() => readInternals(key, { ...foreign, name: 'a' }, 'tool')).toThrow(/^tool "a" was made/);
    expect(() => readInternals(key, { ...foreign, info: { name: 'b' } })).toThrow(/^item "b" was made/);
    expect(() => readInternals(key, foreign)).toThrow(copies);
  });

  it('is no offer of this one', () => {
    const offer = defineOffer({ name: 'a', side: 'server', capabilities: {} });
    checkOffer(offer, 'offers[0]');
    for (const value of [undefined, null, 'a', {}, { name: 'a' }])
      expect(() => checkOffer(value, 'offers[0]')).toThrow(/^offers\[0\] is not an offer/);
    const [brand] = Object.getOwnPropertySymbols(offer).filter(
      (symbol) => (offer as unknown as Record<symbol, unknown>)[symbol] === libraryCopy,
    );
    expect(() => checkOffer({ [brand as symbol]: other }, 'offers[0]')).toThrow(copies);
  });
});

it('a value of a remote is built once, and only for a remote', async () => {
  const [one, two] = [
    await connected(rawServer(() => undefined)),
    await connected(rawServer(() => undefined)),
  ];
  let built = 0;
  const use = perRemote((inner, remote) => ({ inner, remote, built: (built += 1) }));
  expect([use(one), use(two).built]).toEqual([{ inner: getRemoteLink(one), remote: one, built: 1 }, 2]);
  expect(use(one)).toBe(use(one));
  expect(() => use({} as never)).toThrow(
    'expected a Remote: pass what client.connect(transport) resolved to',
  );
});
