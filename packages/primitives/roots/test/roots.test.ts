import type { Context, JsonObject } from '@rxmcp/core';
import { offerMethod } from '@rxmcp/core';
import { defineOffer } from '@rxmcp/core/internal';
import { memory } from '@rxmcp/memory';
import type { ConnectedPairOptions } from '@rxmcp/testing';
import { connectedPair } from '@rxmcp/testing';
import { BehaviorSubject, NEVER, Subject } from 'rxjs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Root } from '../src/index.js';
import { listRoots, offerRoots, onRootsChanged } from '../src/index.js';

/** One revision of each era, and the oldest. */
const revisions = ['2026-07-28', '2025-11-25', '2024-11-05'] as const;

const pair = (version: string, handler: ConnectedPairOptions['handler'], offers: ConnectedPairOptions = {}) =>
  connectedPair({ version, handler, ...offers, link: memory(), onCleanup: onTestFinished });

const frontend = { uri: 'file:///home/user/projects/frontend', name: 'Frontend' };
const docs = { uri: 'file:///home/user/docs' };

describe.each(revisions)('roots at %s', (version) => {
  it('come to the server as they are offered', async () => {
    const { run, clientFaults } = await pair(version, async (ctx) => ({ roots: await listRoots(ctx) }), {
      client: [offerRoots([frontend, docs])],
    });
    expect(await run()).toMatchObject({ roots: [frontend, docs] });
    expect(clientFaults).toEqual([]);
  });

  it('are the latest ones of a live source', async () => {
    const roots$ = new BehaviorSubject<readonly Root[]>([frontend]);
    const { run } = await pair(version, async (ctx) => ({ roots: await listRoots(ctx) }), {
      client: [offerRoots(roots$)],
    });
    expect(await run()).toMatchObject({ roots: [frontend] });
    roots$.next([docs]);
    expect(await run()).toMatchObject({ roots: [docs] });
  });

  it('keep the last good list when a live one is wrong', async () => {
    const roots$ = new BehaviorSubject<readonly Root[]>([frontend]);
    const { run, clientFaults } = await pair(version, async (ctx) => ({ roots: await listRoots(ctx) }), {
      client: [offerRoots(roots$)],
    });
    roots$.next([docs, docs]);
    roots$.next([{ uri: 'https://api.example.com/v1' }]);
    expect(await run()).toMatchObject({ roots: [frontend] });
    expect(clientFaults.map((fault) => fault.code)).toEqual(['INVALID_OFFER', 'INVALID_OFFER']);
  });

  it('may be any uri with an explicit option', async () => {
    const api = { uri: 'https://api.example.com/v1', name: 'API Endpoint' };
    const { run } = await pair(version, async (ctx) => ({ roots: await listRoots(ctx) }), {
      client: [offerRoots([frontend, api], { dangerouslyAllowAnyUri: true })],
    });
    expect(await run()).toMatchObject({ roots: [frontend, api] });
  });

  it('are asked for each time, under one key or another', async () => {
    const { run, remote } = await pair(
      version,
      async (ctx) => ({
        roots: await Promise.all([listRoots(ctx), listRoots(ctx), listRoots(ctx, 'other')]),
      }),
      { client: [offerRoots([docs])] },
    );
    const asked: unknown[] = [];
    remote.wire$.subscribe(({ direction, message }) => {
      if (direction === 'in') asked.push(...JSON.stringify(message).matchAll(/"roots\/list"/g));
    });
    expect(await run()).toMatchObject({ roots: [[docs], [docs], [docs]] });
    expect(asked).toHaveLength(3);
  });

  it('reject with ASK_UNAVAILABLE where the client offers none', async () => {
    const { run } = await pair(version, async (ctx) => {
      const error = await listRoots(ctx).catch((failure: unknown) => failure);
      return { code: (error as { code: unknown }).code };
    });
    expect(await run()).toMatchObject({ code: 'ASK_UNAVAILABLE' });
  });

  it.each([
    { roots: 'all' },
    { roots: [{ name: 'x' }] },
    { roots: [{ uri: 'an invalid uri' }] },
    { roots: [{ uri: `file:///${'a'.repeat(8_185)}` }] },
    {},
  ])('reject with INVALID_ANSWER for answer %#', async (answer: JsonObject) => {
    const broken = defineOffer({
      ...offerMethod('roots/list', {}, () => answer),
      capabilities: { roots: {} },
    });
    const { run } = await pair(
      version,
      async (ctx) => {
        const error = await listRoots(ctx).catch((failure: unknown) => failure);
        return { code: (error as { code: unknown }).code };
      },
      { client: [broken] },
    );
    expect(await run()).toMatchObject({ code: 'INVALID_ANSWER' });
  });

  it.each([
    'file:///home/a%00b',
    'file:///home/a%0Ab',
    'file:///home/a%1b%5B2J',
    'file:///home/%C2%9Bx',
    'file:///a\tb',
  ])('ignore %j, whose path has control characters, with a fault', async (uri) => {
    const answer = { roots: [{ uri }, docs, { uri }, { uri: 'https://api.example.com/%00' }] };
    const odd = defineOffer({
      ...offerMethod('roots/list', {}, () => answer),
      capabilities: { roots: {} },
    });
    const { run, serverFaults } = await pair(version, async (ctx) => ({ roots: await listRoots(ctx) }), {
      client: [odd],
    });
    expect(await run()).toMatchObject({ roots: [docs, { uri: 'https://api.example.com/%00' }] });
    expect(serverFaults.map(({ code }) => code)).toEqual(['ROOT_IGNORED']);
    expect(serverFaults[0]?.message).toMatch(/^2 roots .* the first is "file:/);
    // eslint-disable-next-line no-control-regex
    expect(serverFaults[0]?.message).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
  });

  it('are compared with no list of others, however many there are', async () => {
    const roots = Array.from({ length: 500 }, (_, at) => ({ uri: `file:///${at}` }));
    const odd = defineOffer({
      ...offerMethod('roots/list', {}, () => ({ roots: [...roots, { uri: 'file:///%00' }] })),
      capabilities: { roots: {} },
    });
    const includes = vi.spyOn(Array.prototype, 'includes');
    onTestFinished(() => includes.mockRestore());
    const { run, serverFaults } = await pair(version, async (ctx) => ({ roots: await listRoots(ctx) }), {
      client: [odd],
    });
    expect(await run()).toMatchObject({ roots });
    expect(serverFaults[0]?.message).toMatch(/^1 roots .* the first is "file:\/\/\/%00"$/);
    expect(includes.mock.contexts.filter((list) => (list as unknown[]).length >= 500)).toEqual([]);
  });

  it('are sent only with the consent of the user', async () => {
    const approve = vi.fn((_roots: readonly Root[], ctx: Context) =>
      Promise.resolve(ctx.caller.info?.name === 'other'),
    );
    const { run } = await pair(version, async (ctx) => ({ roots: await listRoots(ctx) }), {
      client: [offerRoots([frontend], { approve })],
    });
    const failure: unknown = await run().catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: version === '2026-07-28' ? 'ASK_REJECTED' : -1 });
    expect(approve.mock.calls.map(([roots]) => roots)).toEqual([[frontend]]);
    const agreed = await pair(version, async (ctx) => ({ roots: await listRoots(ctx) }), {
      client: [offerRoots([frontend], { approve: () => true })],
    });
    expect(await agreed.run()).toMatchObject({ roots: [frontend] });
  });

  it('announce their changes where the revision has a notification for it', async () => {
    const roots$ = new BehaviorSubject<readonly Root[]>([frontend]);
    const heard = vi.fn();
    const { run, serverFaults } = await pair(version, async (ctx) => ({ roots: await listRoots(ctx) }), {
      client: [offerRoots(roots$)],
      server: [onRootsChanged(heard)],
    });
    roots$.next([frontend, docs]);
    roots$.next([docs]);
    expect(await run()).toMatchObject({ roots: [docs] });
    expect(heard).toHaveBeenCalledTimes(version === '2026-07-28' ? 0 : 1);
    expect(serverFaults).toEqual([]);
  });
});

describe('offering roots', () => {
  it('refuses a URI of more than 8,192 characters', () => {
    const uri = `file:///${'a'.repeat(8_185)}`;
    expect(() => offerRoots([{ uri }])).toThrow(
      'a URI of 8193 characters is too long; at most 8192 are allowed',
    );
    expect(() => offerRoots([{ uri: uri.slice(0, -1) }])).not.toThrow();
  });

  it.each([
    [[{ uri: 'https://api.example.com/v1' }], /not a file: URI.*dangerouslyAllowAnyUri/],
    [[{ uri: 'projects/frontend' }], /valid "uri"/],
    [[{ uri: '项目:///a' }], /valid "uri"/],
    [[{ uri: 'file:///a b' }], /must be percent-encoded/],
    [[{ uri: 'file:///a%00b' }], /"file:\/\/\/a%00b" has control characters/],
    [[{ uri: 'file:///a%0ab' }], /control characters/],
    [[{ uri: 'FILE:///a%C2%85b' }], /control characters/],
    [[{ uri: 'file:///a\0b' }], /must be percent-encoded/],
    [[{ uri: 'file:///\ud800' }], /the root "file:\/\/\/\\ud800" has a lone surrogate/],
    [[{ uri: 'file:///ü\udc00' }], /"file:\/\/\/ü\\udc00" has a lone surrogate/],
    [[{ uri: 'file:///home/ada/../bob' }], /name the folder itself/],
    [[{ uri: 'file:///home/ada/%2E%2e/bob' }], /name the folder itself/],
    [[{ uri: 'file:///home/./ada' }], /name the folder itself/],
    [[{ uri: 'file:///home/ada%2F..%2Fbob' }], /name the folder itself/],
    [[{ uri: 'file:///a', name: 7 }], /"name"/],
    [[null], /must be an object/],
    [[docs, docs], /two of roots/],
    [[{ uri: 'file:///home/ü' }, { uri: 'file:///home/%C3%BC' }], /two of roots/],
    ['file:///a', /must be an array/],
  ])('refuses %j', (roots, message) => {
    expect(() => offerRoots(roots as never)).toThrow(message);
  });

  it.each(['file:///home/ada/..hidden', 'file:///home/a..b/.config', 'file:///'])('takes %s', (uri) => {
    expect(() => offerRoots([{ uri }])).not.toThrow();
  });

  it('rejects an approval that is not a function', () => {
    expect(() => offerRoots([docs], { approve: true as never })).toThrow(/approve/);
  });

  it('percent-encodes a path in other letters', async () => {
    const { run } = await pair('2025-11-25', async (ctx) => ({ roots: await listRoots(ctx) }), {
      client: [offerRoots([{ uri: 'file:///home/用户/项目', name: '项目' }])],
    });
    const uri = 'file:///home/%E7%94%A8%E6%88%B7/%E9%A1%B9%E7%9B%AE';
    expect(await run()).toMatchObject({ roots: [{ uri, name: '项目' }] });
  });

  it('declares no changes where no revision has a notification for them', async () => {
    const declared: unknown[] = [];
    for (const version of ['2026-07-28', '2025-11-25']) {
      const handler: ConnectedPairOptions['handler'] = (ctx) => {
        declared.push(ctx.caller.capabilities.roots);
        return {};
      };
      const { run } = await pair(version, handler, { client: [offerRoots(new BehaviorSubject([docs]))] });
      await run();
    }
    expect(declared).toEqual([{}, { listChanged: true }]);
  });

  it('declares changes for a live source only', () => {
    expect(offerRoots([docs]).capabilities).toEqual({ roots: {} });
    expect(offerRoots(NEVER).capabilities).toEqual({ roots: { listChanged: true } });
  });

  it('waits for the first value of a live source, and ends in OFFER_TIMEOUT', async () => {
    const roots$ = new Subject<readonly Root[]>();
    const { run } = await pair('2025-11-25', async (ctx) => ({ roots: await listRoots(ctx) }), {
      client: [offerRoots(roots$, { offerTimeoutMs: 1_000 })],
    });
    const first = run();
    await new Promise((resolve) => setImmediate(resolve));
    roots$.next([docs]);
    expect(await first).toMatchObject({ roots: [docs] });
    const silent = await pair('2025-11-25', async (ctx) => ({ roots: await listRoots(ctx) }), {
      client: [offerRoots(NEVER, { offerTimeoutMs: 20 })],
    });
    await expect(silent.run()).rejects.toThrow(/roots/);
    expect(silent.clientFaults).toMatchObject([{ code: 'OFFER_TIMEOUT' }]);
  });
});
