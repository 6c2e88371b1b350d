import type { AuthenticationResult, RequestHead } from '@rxmcp/transport/guard';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { resourceServer, type TokenClaims } from '../src/server.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

type Found = TokenClaims | undefined | Promise<TokenClaims | undefined>;

/** A resource server and the tokens that its verifier was asked about. */
function counted(verify: (token: string) => Found): {
  asked: string[];
  ask(token: string): Promise<AuthenticationResult>;
} {
  const asked: string[] = [];
  const guard = resourceServer({
    resource: 'https://mcp.example/mcp',
    authorizationServers: ['https://issuer.example'],
    verify(token) {
      asked.push(token);
      return verify(token);
    },
  });
  const headOf = (token: string): RequestHead => ({
    method: 'POST',
    target: '/mcp',
    secure: true,
    headerValues: (name) => (name === 'authorization' ? [`Bearer ${token}`] : []),
  });
  return { asked, ask: async (token) => guard.authenticate(headOf(token)) };
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
});
