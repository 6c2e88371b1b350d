import type { AuthenticationResult, RequestHead } from '@rxmcp/transport/guard';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { resourceServer, type TokenClaims } from '../src/server.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

type Found = TokenClaims | undefined | Promise<TokenClaims | undefined>;

/** A resource server and the tokens that its verifier was asked about. */
function counted(
  verify: (token: string) => Found,
  maxCachedTokens = 10_000,
): {
  asked: string[];
  ask(token: string, connection?: object): Promise<AuthenticationResult>;
  askFrom(remoteAddress: string | undefined, token: string): Promise<AuthenticationResult>;
} {
  const asked: string[] = [];
  const guard = resourceServer({
    resource: 'https://mcp.example/mcp',
    authorizationServers: ['https://issuer.example'],
    verify(token) {
      asked.push(token);
      return verify(token);
    },
    maxCachedTokens,
  });
  const headOf = (token: string, more: Partial<RequestHead>): RequestHead => ({
    ...more,
    method: 'POST',
    target: '/mcp',
    secure: true,
    headerValues: (name) => (name === 'authorization' ? [`Bearer ${token}`] : []),
  });
  return {
    asked,
    ask: async (token, connection) => guard.authenticate(headOf(token, { connection })),
    askFrom: async (remoteAddress, token) => guard.authenticate(headOf(token, { remoteAddress })),
  };
}

const claimsFor = (seconds: number, more = {}): TokenClaims => ({
  sub: 'ada',
  exp: Date.now() / 1_000 + seconds,
  ...more,
});

describe('the verification of a token', () => {
  it.each([
    ['valid', (): Found => claimsFor(60), { principal: 'ada' }, []],
    ['without an end', (): Found => ({ sub: 'ada' }), { principal: 'ada' }, ['a']],
    ['invalid', (): Found => undefined, { status: 401 }, []],
    ['unknown', (): Found => Promise.reject(new Error('down')), { status: 503 }, ['a']],
  ] as const)('is shared by concurrent requests: %s', async (_, verify, result, again) => {
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    const { asked, ask } = counted(async () => {
      await opened;
      return verify();
    });
    const first = Array.from({ length: 20 }, () => ask('a'));
    const other = ask('b');
    await vi.waitUntil(() => asked.length === 2);
    open();
    for (const one of await Promise.all([...first, other])) expect(one).toMatchObject(result);
    expect(asked.toSorted()).toEqual(['a', 'b']);
    await ask('a');
    expect(asked.slice(2)).toEqual(again);
  });

  it('is not repeated for an invalid token within 10 s', async () => {
    const { asked, ask } = counted(() => undefined);
    await ask('a');
    vi.advanceTimersByTime(9_999);
    expect(await ask('a')).toMatchObject({ status: 401 });
    expect(asked).toEqual(['a']);
    vi.advanceTimersByTime(1);
    expect(await ask('a')).toMatchObject({ status: 401 });
    expect(asked).toEqual(['a', 'a']);
  });

  it('is remembered for the last 1,000 invalid tokens, which remove no valid one', async () => {
    const { asked, ask } = counted((token) => (token === 'valid' ? claimsFor(60) : undefined));
    await ask('valid');
    for (let at = 0; at <= 1_000; at += 1) await ask(String(at));
    asked.length = 0;
    for (const token of ['valid', '1000', '1', '0']) await ask(token);
    expect(asked).toEqual(['0']);
  });

  it('is repeated for a token whose claims have more than 16 KiB', async () => {
    const { length } = JSON.stringify(claimsFor(60, { text: '' }));
    const { asked, ask } = counted((token) =>
      claimsFor(60, { text: 'é'.repeat((16_384 - length) / 2) + (token === 'large' ? 'xx' : '') }),
    );
    for (const token of ['small', 'small', 'large', 'large'])
      expect(await ask(token)).toMatchObject({ principal: 'ada' });
    expect(asked).toEqual(['small', 'large', 'large']);
  });

  it('that does not end within 10 s fails, and the next request starts another', async () => {
    let runs = 0;
    const { asked, ask } = counted(() =>
      (runs += 1) === 1 ? new Promise<never>(() => undefined) : claimsFor(60),
    );
    const stuck = ask('a');
    await vi.waitUntil(() => asked.length === 1);
    vi.advanceTimersByTime(10_000);
    expect(await stuck).toMatchObject({ status: 503 });
    expect(await ask('a')).toMatchObject({ principal: 'ada' });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is refused with 503 while 500 others run, or as many from its address as others could begin', async () => {
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    const { asked, askFrom } = counted(async (token) => {
      if (token !== 'known') await opened;
      return claimsFor(60);
    });
    await askFrom('192.0.2.1', 'known');
    const running = (address: string, count: number) =>
      Array.from({ length: count }, (_, at) =>
        askFrom(address, `${address} ${String(at)}`.replace(' ', '-')),
      );
    const first = running('192.0.2.1', 250);
    expect(await askFrom('192.0.2.1', 'one-more')).toEqual({
      status: 503,
      message:
        'access tokens from this address are being verified already, as many as its share of 500 allows. Try again. Behind a proxy the server needs "clientAddress"',
    });
    const second = running('2001:db8::1', 125);
    expect(await askFrom('2001:db8::2', 'one-more')).toMatchObject({ status: 503 });
    const others = [63, 31, 16, 8, 4, 2, 1].flatMap((count) => running(`198.51.100.${String(count)}`, count));
    for (const address of ['192.0.2.3', undefined])
      expect(await askFrom(address, 'one-more')).toEqual({
        status: 503,
        message: '500 access tokens are being verified already. Try again',
      });
    expect(await askFrom('192.0.2.1', 'known')).toMatchObject({ principal: 'ada' });
    const shared = askFrom('192.0.2.1', '2001:db8::1-7');
    open();
    for (const one of await Promise.all([...first, ...second, ...others, shared]))
      expect(one).toMatchObject({ principal: 'ada' });
    expect(await askFrom('192.0.2.1', 'one-more')).toMatchObject({ principal: 'ada' });
    expect(asked).toHaveLength(1 + 500 + 1);
  });
});

describe('a connection', () => {
  it('has the caller of the token of each request', async () => {
    const { asked, ask } = counted((token) => ({ ...claimsFor(60), sub: token }));
    const [one, other] = [{}, {}];
    for (const token of ['ada', 'ada', 'bob', 'ada', 'bob', 'bob'])
      expect(await ask(token, one)).toMatchObject({ principal: token });
    expect(await ask('bob', other)).toMatchObject({ principal: 'bob' });
    expect(await ask('ad', one)).toMatchObject({ principal: 'ad' });
    expect(asked).toEqual(['ada', 'bob', 'ad']);
  });

  it('has none once the token has expired', async () => {
    const connection = {};
    let isValid = true;
    const { asked, ask } = counted(() => (isValid ? claimsFor(60) : undefined));
    for (let times = 0; times < 3; times += 1)
      expect(await ask('a', connection)).toMatchObject({ principal: 'ada' });
    isValid = false;
    vi.advanceTimersByTime(59_999);
    expect(await ask('a', connection)).toMatchObject({ principal: 'ada' });
    vi.advanceTimersByTime(1);
    expect(await ask('a', connection)).toMatchObject({ status: 401 });
    expect(asked).toEqual(['a', 'a']);
  });

  it('keeps nothing where no tokens are kept', async () => {
    const { asked, ask } = counted(() => claimsFor(60), 0);
    const connection = {};
    for (let times = 0; times < 3; times += 1) await ask('a', connection);
    expect(asked).toEqual(['a', 'a', 'a']);
  });
});
