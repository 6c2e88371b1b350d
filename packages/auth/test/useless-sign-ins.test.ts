import { describe, expect, it } from 'vitest';
import { ask } from './protected-resource.js';
import { causeOf, expire, signedIn } from './signed-in.js';

describe('a server that rejects tokens that have not expired', () => {
  it('has the browser opened ten times at most, until the program signs in', async () => {
    const made = await signedIn({
      fetch: (url, init) =>
        String(init.body).includes('grant_type=refresh_token')
          ? Promise.resolve(Response.json({ error: 'invalid_grant' }, { status: 400 }))
          : fetch(url, init),
    });
    for (let times = 0; times < 10; times += 1) {
      expire(made);
      expect(await ask(made.auth, made.resource.url)).toBe(200);
    }
    expire(made);
    expect(await causeOf(ask(made.auth, made.resource.url))).toMatchObject({ code: 'TOKEN_REJECTED' });
    expect(made.opened).toHaveLength(1 + 10);
    await made.auth.signIn(made.resource.url);
    expect(await ask(made.auth, made.resource.url)).toBe(200);
  });

  it('or whose tokens are valid for a second has it opened as rarely', async () => {
    const made = await signedIn({
      async fetch(url, init) {
        const response = await fetch(url, init);
        if (!url.endsWith('/token')) return response;
        const { refresh_token: _, ...tokens } = (await response.json()) as Record<string, unknown>;
        return Response.json({ ...tokens, expires_in: 0 });
      },
    });
    for (let times = 0; times < 12; times += 1) {
      expire(made);
      await ask(made.auth, made.resource.url).catch(() => 401);
    }
    expect(await causeOf(ask(made.auth, made.resource.url))).toMatchObject({ code: 'TOKEN_REJECTED' });
    expect(made.opened).toHaveLength(1 + 10);
  });

  it('has no one asked who has declined ten times, until the program signs in', async () => {
    const made = await signedIn();
    await made.auth.signOut(made.resource.url);
    made.agrees = false;
    const codes: unknown[] = [];
    for (let times = 0; times < 12; times += 1)
      codes.push((await causeOf(ask(made.auth, made.resource.url)))?.code);
    expect(codes).toEqual([
      ...Array.from({ length: 10 }, () => 'ACCESS_DENIED'),
      ...['TOKEN_REJECTED', 'TOKEN_REJECTED'],
    ]);
    made.agrees = true;
    await made.auth.signIn(made.resource.url);
    expect(made.opened).toHaveLength(1 + 10 + 1);
  });
});
