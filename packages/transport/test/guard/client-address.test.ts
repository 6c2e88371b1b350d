import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forwardedAddress, guard, type RequestHead } from '../../src/guard.js';
import { addressOf, holderName } from '../../src/internal.js';

const head = (headers: Readonly<Record<string, readonly string[]>>): RequestHead => ({
  method: 'POST',
  target: '/mcp',
  secure: false,
  headerValues: (name) => ({ host: ['localhost'], ...headers })[name] ?? [],
});
const forwardedFor = (...values: string[]): RequestHead => head({ 'x-forwarded-for': values });

describe('the address behind a proxy', () => {
  it.each([
    [1, ['198.51.100.7'], '198.51.100.7'],
    [1, ['spoofed, 198.51.100.7'], '198.51.100.7'],
    [1, ['spoofed', '198.51.100.7'], '198.51.100.7'],
    [2, ['spoofed, 198.51.100.7, 10.0.0.1'], '198.51.100.7'],
    [2, ['198.51.100.7'], undefined],
    [1, ['198.51.100.7:4711'], '198.51.100.7'],
    [1, ['[2001:db8::7]:4711'], '2001:db8::7'],
    [1, ['2001:db8::7'], '2001:db8::7'],
    [1, ['a, '], undefined],
    [1, ['not an address'], undefined],
    [1, ['x'.repeat(65)], undefined],
    [1, [], undefined],
  ])('of %i proxies, X-Forwarded-For %j, is %s', (proxies, values, expected) => {
    expect(forwardedAddress({ proxies })(forwardedFor(...values))).toBe(expected);
  });

  it.each([
    ['for=198.51.100.7;proto=https', '198.51.100.7'],
    ['for=spoofed, proto=https;For="[2001:db8::7]:4711"', '2001:db8::7'],
    ['for="_hidden"', '_hidden'],
    ['proto=https', undefined],
  ])('of the header Forwarded %s is %s', (value, expected) => {
    const address = forwardedAddress({ header: 'forwarded' });
    expect(address(head({ forwarded: [value] }))).toBe(expected);
  });

  it('does not depend on what comes before the entries of the proxies', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.ipV4(), (before, address) => {
        expect(forwardedAddress()(forwardedFor(...before, address))).toBe(address);
      }),
    );
  });

  it.each([0, 1.5, -1])('rejects %s proxies', (proxies) => {
    expect(() => forwardedAddress({ proxies })).toThrow('"proxies" must be a positive integer');
  });
});

describe('a guard with clientAddress', () => {
  it('gives the address of anonymous callers', () => {
    const check = guard({ clientAddress: forwardedAddress() });
    expect(check(forwardedFor('198.51.100.7'))).toEqual({ address: '198.51.100.7' });
    expect(check(forwardedFor())).toEqual({ address: undefined });
  });

  it('does not call it for a caller that is authenticated', () => {
    const clientAddress = (): never => {
      throw new Error('called');
    };
    const check = guard({ clientAddress, authenticate: () => ({ principal: 'ada' }) });
    expect(check(forwardedFor('198.51.100.7'))).toEqual({ principal: 'ada' });
  });

  it('passes it to authenticate, which may need the address of a client before it knows the caller', () => {
    const check = guard({
      clientAddress: forwardedAddress(),
      authenticate: (of, clientAddress) => ({ principal: addressOf(of, clientAddress) ?? '' }),
    });
    expect(check(forwardedFor('198.51.100.7'))).toEqual({ principal: '198.51.100.7' });
  });

  it('rejects the request where it throws', () => {
    const check = guard({
      clientAddress: () => {
        throw new Error('a secret');
      },
    });
    expect(check(forwardedFor('198.51.100.7'))).toMatchObject({ status: 500 });
    expect(() => guard({ clientAddress: 'x-forwarded-for' as never })).toThrow('"clientAddress"');
  });
});

it('the address of a client whose caller is not known is that of the socket where no other is found', () => {
  const of = { ...forwardedFor('198.51.100.7'), remoteAddress: '10.0.0.1' };
  const broken = (): never => {
    throw new Error('broken');
  };
  expect([forwardedAddress(), () => undefined, broken, undefined].map((one) => addressOf(of, one))).toEqual([
    '198.51.100.7',
    '10.0.0.1',
    '10.0.0.1',
    '10.0.0.1',
  ]);
});

it.each([
  ['198.51.100.7', '198.51.100.7'],
  ['::1', '::1'],
  ['::ffff:198.51.100.7', '::ffff:198.51.100.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::7', '2001:db8:0:0::/64'],
  ['2600::7', '2600:0:0:0::/64'],
  ['fd00::7', 'fd00:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('the shares of %s are those of %s', (address, network) => {
  expect(holderName(undefined, address)).toBe(`address ${network}`);
});
