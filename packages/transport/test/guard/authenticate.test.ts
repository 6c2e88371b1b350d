import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bearer, guard, type Authenticator } from '../../src/guard.js';
import { head } from './request-head.js';

const host = 'localhost';

describe('the caller', () => {
  it('is anonymous without authenticate', () => {
    expect(guard({})(head({ host }))).toEqual({ principal: undefined });
  });

  it('is asked after Host and Origin', () => {
    const authenticate = vi.fn<Authenticator>(() => ({ principal: 'ada' }));
    const ask = guard({ authenticate });
    ask(head({ host: 'evil.com' }));
    ask(head({ host, origin: 'https://evil.com' }));
    expect(authenticate).not.toHaveBeenCalled();
    expect(ask(head({ host }))).toEqual({ principal: 'ada' });
  });

  it('may be found out later, which leaves no timer', async () => {
    vi.useFakeTimers();
    const ask = (authenticate: Authenticator) => guard({ authenticate })(head({ host }));
    expect(await ask(async () => ({ principal: 'ada' }))).toEqual({ principal: 'ada' });
    expect(await ask(() => Promise.reject(new Error('down')))).toMatchObject({ status: 500 });
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  it('that the application passes is not authenticated again, but Host and Origin are checked', () => {
    const authenticate = vi.fn<Authenticator>(() => ({ principal: 'bob' }));
    const ask = guard({ authenticate });
    const caller = { principal: 'ada', scopes: ['read'], claims: { tenant: 'acme' } };
    expect(ask(head({ host }), caller)).toEqual(caller);
    expect(ask(head({ host: 'evil.com' }), caller)).toMatchObject({ status: 403 });
    expect(ask(head({ host, origin: 'https://evil.com' }), caller)).toMatchObject({ status: 403 });
    expect(authenticate).not.toHaveBeenCalled();
    expect(ask(head({ host }), undefined)).toEqual({ principal: 'bob' });
    expect(ask(head({ host }), { principal: 1 } as never)).toMatchObject({ status: 500 });
  });

  it('a refusal carries its challenge', () => {
    const refused = guard({
      authenticate: () => ({ status: 401, challenge: 'Bearer scope="read"', message: 'no' }),
    });
    expect(refused(head({ host }))).toEqual({
      status: 401,
      headers: { 'www-authenticate': 'Bearer scope="read"' },
      message: 'no',
    });
    expect(guard({ authenticate: () => ({ status: 401 }) })(head({ host }))).toMatchObject({
      headers: { 'www-authenticate': 'Bearer' },
    });
    expect(guard({ authenticate: () => ({ status: 403 }) })(head({ host }))).toMatchObject({
      status: 403,
      headers: {},
    });
  });

  it('may be refused as malformed, or because they cannot be checked now, with a time to come back', () => {
    expect(guard({ authenticate: () => ({ status: 400 }) })(head({ host }))).toEqual({
      status: 400,
      headers: {},
      message: 'these credentials are malformed',
    });
    expect(guard({ authenticate: () => ({ status: 503, message: 'no keys' }) })(head({ host }))).toEqual({
      status: 503,
      headers: { 'retry-after': '5' },
      message: 'no keys',
    });
  });

  it('a challenge cannot make headers of its own', () => {
    const refused = guard({ authenticate: () => ({ status: 401, challenge: 'Bearer\r\nx: y' }) });
    expect(refused(head({ host }))).toMatchObject({ headers: {} });
  });

  it('an authenticate that throws or returns an invalid value rejects, without its message', async () => {
    const secret = new Error('token abc');
    const broken: Authenticator[] = [
      () => {
        throw secret;
      },
      () => Promise.reject(secret),
      () => ({}) as never,
      () => undefined as never,
      () => ({ principal: 1 }) as never,
      () => ({ status: 200 }) as never,
      () => ({ principal: 'ada', claims: [] }) as never,
      () => ({ principal: 'ada', claims: 'abc' }) as never,
      () => ({ principal: 'ada', scopes: 'read' }) as never,
      () => ({ principal: 'ada', scopes: [1] }) as never,
    ];
    for (const authenticate of broken) {
      const decision = await guard({ authenticate })(head({ host }));
      expect(decision).toMatchObject({ status: 500 });
      expect(JSON.stringify(decision)).not.toContain('abc');
    }
  });

  describe('that never ends', () => {
    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.useRealTimers());

    it('is refused after 10 s', async () => {
      const decision = guard({ authenticate: () => new Promise(() => undefined) })(head({ host }));
      await vi.advanceTimersByTimeAsync(10_000);
      expect(await decision).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    });
  });
});

describe('bearer', () => {
  const check = bearer({ ada: 'token-of-ada', bob: 'token-of-bob' });
  const ask = (authorization: string | string[]): unknown => check(head({ host, authorization }));

  it('identifies callers by their tokens', () => {
    expect(ask('Bearer token-of-ada')).toEqual({ principal: 'ada' });
    expect(ask('bearer  token-of-bob')).toEqual({ principal: 'bob' });
  });

  it('challenges a request without one', () => {
    expect(check(head({ host }))).toEqual({ status: 401, challenge: 'Bearer' });
    for (const value of ['Basic abc', 'Bearer', 'Bearer a b', `Bearer ${'a'.repeat(5_000)}`]) {
      expect(ask(value)).toEqual({ status: 401, challenge: 'Bearer' });
    }
    expect(ask(['Bearer token-of-ada', 'Bearer token-of-ada'])).toMatchObject({ status: 401 });
  });

  it.each(['token-of-ad', 'token-of-adaa', 'token-of-adatoken-of-ada', 'Token-of-ada', 'x'])(
    '%s is unknown',
    (token) => {
      const decision = ask(`Bearer ${token}`);
      expect(decision).toMatchObject({ status: 401, challenge: 'Bearer error="invalid_token"' });
      expect(JSON.stringify(decision)).not.toContain(`"${token}"`);
    },
  );

  it('knows claims and scopes of a token, and several tokens of one principal', () => {
    const ada = { token: 'laptop', scopes: ['read'], claims: { tenant: 'acme' } };
    const knows = bearer({ ada, 'ada on call': { token: 'pager', principal: 'ada' }, bob: 'plain' });
    const asked = (token: string): unknown => knows(head({ host, authorization: `Bearer ${token}` }));
    expect(asked('laptop')).toEqual({ principal: 'ada', scopes: ['read'], claims: { tenant: 'acme' } });
    expect(asked('pager')).toEqual({ principal: 'ada' });
    expect(asked('plain')).toEqual({ principal: 'bob' });
  });

  it('needs tokens', () => {
    expect(() => bearer({})).toThrow(TypeError);
    expect(() => bearer({ ada: '' })).toThrow(TypeError);
    expect(() => bearer({ ada: { token: '' } })).toThrow('the token of "ada" is empty');
    expect(() => bearer({ ada: { scopes: ['read'] } as never })).toThrow('"ada" needs its token');
    expect(() => bearer({ ada: { token: 'x', scopes: 'read' as never } })).toThrow('claims of "ada"');
  });
});
