import { describe, expect, it } from 'vitest';
import type { Caller, Remote } from '../../src/index.js';
import { offerMethod, once } from '../../src/index.js';
import type { ItemKind } from '../../src/interceptors/index.js';
import { authorize } from '../../src/interceptors/index.js';
import { getRemoteLink } from '../../src/internal.js';
import { cursorOf, placeOf } from '../../src/offers/list-pages.js';
import { joined, rawClient } from '../rig/raw-client.js';
import { turn, until } from '../rig/turn.js';
import { resources, tools } from './offered.js';
import { eras, pair } from './pair.js';

// An item named after ada or bob is only for that principal, the rest is for all callers.
const allow = ({ principal = 'nobody' }: Caller, _kind: ItemKind, item: string): boolean =>
  !/ada|bob/.test(item) || item.includes(principal);
const guarded = { interceptors: [authorize({ allow })] };
const text = (name: string) => ({ content: [{ type: 'text', text: name }] });
const names = (remote: Remote) =>
  once(
    getRemoteLink(remote).pages({
      method: 'tools/list',
      member: 'tools',
      capability: 'tools',
      decode: (entry) => (entry as { name: string }).name,
    }),
  );
const failure = (remote: Remote, method: string, params: Record<string, unknown>) =>
  once(remote.request(method, params)).catch(
    ({ code, message, data }) => ({ code, message, data }) as unknown,
  );

describe.each(eras)('%s: authorize', (_era, version) => {
  const as = (principal: string | undefined, offers = [tools(['all', 'ada-1', 'bob-1'])]) =>
    pair(version, { offers, ...guarded }, {}, principal).then(({ remote }) => remote);

  it('lists what each caller may see, with cache scope private', async () => {
    expect(await names(await as('ada'))).toEqual(['all', 'ada-1']);
    expect(await names(await as('bob'))).toEqual(['all', 'bob-1']);
    const anonymous = await as(undefined);
    expect(await names(anonymous)).toEqual(['all']);
    const list = await once(anonymous.request('tools/list'));
    expect(list.cacheScope).toBe(version < '2026' ? undefined : 'private');
  });

  it('refuses a use exactly like that of an unknown name', async () => {
    const remote = await as('ada');
    expect(await once(remote.request('tools/call', { name: 'ada-1' }))).toMatchObject(text('ada-1'));
    const hidden = await failure(remote, 'tools/call', { name: 'bob-1' });
    expect(hidden).toEqual({ code: -32602, message: 'unknown tool "bob-1"', data: undefined });
    // Close to what is hidden: without the interceptor there would be a hint.
    const near = await failure(remote, 'tools/call', { name: 'bo-1' });
    expect(near).toEqual({ code: -32602, message: 'unknown tool "bo-1"', data: undefined });
    expect(await failure(remote, 'tools/call', { name: 7 })).toMatchObject({ code: -32602 });
  });

  it('pages show nothing of the hidden entries between them', async () => {
    const all = ['bob-0', 'a', 'bob-1', 'bob-2', 'bob-3', 'b', 'bob-4', 'c', 'd', 'bob-5', 'bob-6'];
    const remote = await as('ada', [tools(all, 2)]);
    expect(await names(remote)).toEqual(['a', 'b', 'c', 'd']);
    const cursors: unknown[] = [];
    for (let cursor: unknown; cursors.at(-1) !== 'end'; cursors.push(cursor ?? 'end')) {
      const page = await once(remote.request('tools/list', cursor === undefined ? {} : { cursor }));
      expect(JSON.stringify(page)).not.toContain('bob');
      cursor = page.nextCursor;
      const named = typeof cursor === 'string' ? placeOf('tools/list', cursor) : undefined;
      expect(JSON.stringify(named ?? '')).not.toContain('bob');
    }
    const at = (after: string, before?: string) =>
      failure(remote, 'tools/list', { cursor: cursorOf('tools/list', { after, before }) });
    const known = await at('bob-1');
    expect(known).toEqual(await at('bob-9'));
    expect(known).toEqual(await at('gone', 'bob-1'));
    expect(await at('b')).toMatchObject({ tools: [{ name: 'c' }] });
    // An entry that a cursor names is skipped when it was removed, and likewise when it is hidden.
    for (const [hidden, gone] of [
      [await at('b', 'bob-4'), await at('b', 'none')],
      [await at('bob-4', 'c'), await at('none', 'c')],
    ]) {
      expect(hidden).toHaveProperty('tools.0.name', 'c');
      expect(hidden).toEqual(gone);
    }
    expect(known).toMatchObject({ code: -32602, message: 'tools/list: unknown cursor' });
  });

  it.each([
    ['https://example.com/bob/', 'https://EXAMPLE.com/bob/x', 'https://example.com:443/bob/x'],
    ['file:///bob/', 'file://localhost/bob/x', 'file:/bob/x'],
  ])('hides %s under every spelling of its host', async (prefix, ...uris) => {
    const rule = authorize({ allow: (_caller, _kind, item) => !item.startsWith(prefix) });
    const { remote } = await pair(version, { offers: [resources(uris).offer], interceptors: [rule] });
    expect(await once(remote.request('resources/list'))).toMatchObject({ resources: [] });
    for (const uri of uris) {
      const refused = await failure(remote, 'resources/read', { uri });
      expect(refused).toMatchObject({ message: `no resource "${uri}"` });
    }
  });

  it('lets a client alone keep what it read, whatever the hint of the server says', async () => {
    const offers = [resources(['x:/all']).offer];
    const cacheHints = { 'resources/read': { ttlMs: 50, scope: 'public' } } as const;
    const { remote } = await pair(version, { offers, cacheHints, ...guarded });
    const { cacheScope } = await once(remote.request('resources/read', { uri: 'x:/all' }));
    expect(cacheScope).toBe(version < '2026' ? undefined : 'private');
  });

  it('reads, under every spelling of a uri', async () => {
    const { offer } = resources(['x:/all', 'x:/bob', 'x:/ada']);
    const remote = await as('ada', [offer]);
    expect(await once(remote.request('resources/read', { uri: 'x:/ada' }))).toHaveProperty('contents');
    for (const uri of ['x:/bob', 'x:/%62ob', 'X:/bo%62']) {
      const refused = await failure(remote, 'resources/read', { uri });
      expect(refused).toMatchObject({ message: `no resource "${uri}"`, data: { uri } });
      const missing = (await failure(remote, 'resources/read', { uri: `${uri}/none` })) as object;
      expect(missing).toMatchObject({ code: (refused as { code: number }).code });
    }
    const list = await once(remote.request('resources/list'));
    expect(list.resources).toEqual([
      { uri: 'x:/all', name: 'x:/all' },
      { uri: 'x:/ada', name: 'x:/ada' },
    ]);
  });

  it('completes for allowed items only', async () => {
    const complete = offerMethod('completion/complete', {}, () => ({ completion: { values: ['v'] } }));
    const remote = await as('ada', [complete]);
    const ask = (ref: object) =>
      failure(remote, 'completion/complete', { ref, argument: { name: 'a', value: '' } });
    expect(await ask({ type: 'ref/prompt', name: 'ada' })).toHaveProperty('completion');
    expect(await ask({ type: 'ref/prompt', name: 'bob' })).toMatchObject({ code: -32602 });
    expect(await ask({ type: 'ref/resource', uri: 'x:/{bob}' })).toMatchObject({ code: -32602 });
    expect(await ask({ type: 'ref/resource', uri: 'x:/{all}' })).toHaveProperty('completion');
  });
});

describe('authorize and notices', () => {
  it('modern: watches allowed items, and receives nothing else', async () => {
    const { offer, changed } = resources(['x:/ada', 'x:/bob', 'x:/all']);
    let allowed = true;
    const interceptors = [
      authorize({ allow: (...given) => allow(...given) && (allowed || given[2] !== 'x:/all') }),
    ];
    const client = rawClient([offer], { interceptors, traits: { principal: 'ada' } });
    const asked = ['x:/ada', 'x:/bob', 'x:/all', 'x:/b%6Fb'];
    client.put({
      jsonrpc: '2.0',
      id: 'l',
      method: 'subscriptions/listen',
      params: {
        notifications: { resourceSubscriptions: asked },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    });
    await until(() => client.sent.length > 0);
    expect((await client.take())[0]?.params?.['notifications']).toEqual({
      resourceSubscriptions: ['x:/ada', 'x:/all'],
    });
    allowed = false;
    for (const uri of ['x:/ada', 'x:/bob', 'x:/all', 'x:/all/bob']) changed(uri);
    expect((await client.take()).map((frame) => frame.params?.['uri'])).toEqual(['x:/ada']);
  });

  it('legacy: subscribes to allowed items', async () => {
    const { offer, changed } = resources(['x:/ada', 'x:/bob']);
    const client = rawClient([offer], { ...guarded, traits: { principal: 'ada' } });
    const other = joined(client.server, { principal: 'bob' });
    for (const one of [client, other]) await one.shake();
    const ask = (uri: string) => client.ask({ id: uri, method: 'resources/subscribe', params: { uri } });
    expect(await ask('x:/ada')).toHaveProperty('result');
    expect(await ask('x:/bob')).toMatchObject({ error: { code: -32002, message: 'no resource "x:/bob"' } });
    await other.ask({ id: 1, method: 'resources/subscribe', params: { uri: 'x:/bob' } });
    await client.take();
    for (const uri of ['x:/ada', 'x:/bob']) changed(uri);
    await turn();
    expect((await client.take()).map((frame) => frame.params?.['uri'])).toEqual(['x:/ada']);
    expect((await other.take()).at(-1)?.params).toEqual({ uri: 'x:/bob' });
  });
});

it('callers who see the same list share one text, made once', async () => {
  const asked: string[] = [];
  const noting = authorize({ allow: (...given) => (asked.push(given[2]), allow(...given)) });
  const client = rawClient([tools(['all', 'ada-1'])], {
    interceptors: [noting],
    traits: { principal: 'ada' },
  });
  const spy = { count: 0, original: JSON.stringify };
  JSON.stringify = ((...given: Parameters<typeof JSON.stringify>) => {
    if ((given[0] as { tools?: unknown } | undefined)?.tools !== undefined) spy.count += 1;
    return spy.original(...given);
  }) as typeof JSON.stringify;
  try {
    for (const id of [1, 2, 3]) await client.modern(id, 'tools/list');
    const other = joined(client.server, { principal: 'ada' });
    await other.modern(1, 'tools/list');
  } finally {
    JSON.stringify = spy.original;
  }
  expect(spy.count).toBe(1);
  expect(asked).toHaveLength(8);
});

describe.each(eras)('%s: authorize by scopes', (_era, version) => {
  it('lists what the caller has the scopes for, and names those of a request', async () => {
    const scopesFor = (kind: ItemKind | 'method', name: string): readonly string[] =>
      kind === 'method' ? [] : name === 'thrown' ? JSON.parse('?') : name === 'all' ? [] : [name];
    const isShown = (_caller: Caller, _kind: ItemKind, item: string): boolean => item !== 'hidden';
    const { remote } = await pair(version, {
      offers: [tools(['all', 'some', 'hidden', 'thrown'])],
      interceptors: [authorize({ allow: isShown, scopesFor })],
    });
    expect(await names(remote)).toEqual(['all']);
    expect(await failure(remote, 'tools/call', { name: 'some' })).toEqual({
      code: -31005,
      message: 'tools/call "some" rejected: the caller needs the scopes some',
      data: { requiredScopes: ['some'] },
    });
    // What is hidden looks missing, whatever scopes it would need.
    const missing = await failure(remote, 'tools/call', { name: 'hidden' });
    expect(missing).toEqual({ code: -32602, message: 'unknown tool "hidden"', data: undefined });
    expect(await failure(remote, 'tools/call', { name: 'thrown' })).toMatchObject({ code: -32603 });
  });

  it('needs a rule', () => expect(() => authorize({})).toThrow(TypeError));
});
