import { offerCompletion } from '@rxmcp/completion';
import { defineServer, RxmcpError, RpcError } from '@rxmcp/core';
import type { Fault, Offer } from '@rxmcp/core';
import { authorize } from '@rxmcp/core/interceptors';
import { markPartial } from '@rxmcp/core/internal';
import { offerPrompts, prompt } from '@rxmcp/prompts';
import { offerResources, type Resource, resource, type Template, template } from '@rxmcp/resources';
import { offerTools, text, tool } from '@rxmcp/tools';
import * as fc from 'fast-check';
import { BehaviorSubject, NEVER } from 'rxjs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { script } from './wire.js';

// Both are as long as each other, and as far from what is seen.
const [hidden, nothing] = ['vault', 'mauve'] as const;
const near = 'vaul';

const input = z.object({ n: z.number() });
const tools = (name: string) => tool(name, { input, needs: ['sampling'] }, () => text(name));
const prompts = (name: string) => prompt(name, { arguments: [{ name: 'a', required: true }] }, () => name);
const files = template('files:///{+path}', {}, async ({ path }) => {
  await Promise.resolve();
  if (path === hidden) return 'secret';
  if (path.startsWith('own/')) throw new RxmcpError('RESOURCE_NOT_FOUND', `there is no file ${path}`);
  if (path.startsWith('old/')) throw new RpcError(-32002, 'File not found', { path });
  return null;
});
// The same without waiting, which a watch meets before it is there.
const gone = (path: string): void => {
  if (path === hidden) return;
  if (path.startsWith('old/')) throw new RpcError(-32002, 'File not found', { path });
  throw new RxmcpError('RESOURCE_NOT_FOUND', `there is no file ${path}`);
};
const rows = template('row:///{+path}', {}, ({ path }) => {
  gone(path);
  return 'secret';
});
const changing = template(
  'log:///{+path}',
  {
    changes: ({ path }) => {
      gone(path);
      return NEVER;
    },
  },
  ({ path }) => (path === hidden ? 'secret' : null),
);
const things: readonly Offer[] = [
  offerTools([tools('seen'), tools(near), tools(hidden)], { pageSize: 1 }),
  offerPrompts([prompts('seen'), prompts(near), prompts(hidden)], { pageSize: 1 }),
  offerResources(
    [
      resource('x:/seen', {}, 'x'),
      resource(`x:/${hidden}`, {}, 'x'),
      template(`y:/${hidden}/{id}`, {}, () => 'y'),
      template('z:/{one}/end', {}, () => 'z'),
      files,
      rows,
      changing,
    ],
    { pageSize: 1, subscribe: true },
  ),
  offerCompletion({
    prompts: { [hidden]: { a: ['b'] } },
    templates: { 'y:/vault/{id}': { id: ['1'] }, 'files:///{+path}': { path: ['p'] } },
  }),
];
// What is not there is allowed, so that the offers answer for it.
const interceptors = [authorize({ allow: (_caller, _kind, item) => !item.toLowerCase().includes(hidden) })];

const values = fc.constantFrom<unknown>(
  undefined,
  null,
  7,
  'text',
  true,
  [],
  {},
  { n: 1 },
  { n: 'x' },
  { a: 'b' },
);
const meta = fc.constantFrom<object>({}, { _meta: { progressToken: 0 } }, { _meta: { other: 1 } });
const more = fc.constantFrom<object>({}, { task: { ttl: 5 } }, { task: 7 }, { cursor: 'AA' }, { unheard: 1 });
const rounds = fc.constantFrom<object>(
  {},
  { inputResponses: 7 },
  { inputResponses: { a: {} } },
  { requestState: 'forged' },
  { requestState: 7 },
);
const paths = fc.constantFrom<(name: string) => string>(
  (name) => name,
  (name) => `${name}/`,
  (name) => `/${name}`,
  (name) => `./${name}`,
  (name) => `a/../${name}`,
  (name) => `own/${name}`,
  (name) => `old/${name}`,
  (name) => `${name}%2Fb`,
  (name) => `${name}%zz`,
  (name) => `${name} b`,
  (name) => `${name}?q`,
  (name) => `%${name.charCodeAt(0).toString(16)}${name.slice(1)}`,
  (name) => `${name}${'a'.repeat(65_536)}`,
);
const uris = fc
  .tuple(
    fc.constantFrom('x:/', 'X:/', 'y:/', 'z:/', 'files:///', 'FILES:///', 'row:///', 'log:///', ''),
    paths,
  )
  .map(
    ([scheme, path]) =>
      (name: string) =>
        `${scheme}${path(name)}`,
  );
const refs = fc.oneof(
  fc
    .tuple(fc.constantFrom<unknown>('ref/prompt', 'ref/tool', 7, undefined), fc.boolean())
    .map(([type, extra]) => (name: string) => ({ type, name, ...(extra ? { uri: name } : {}) })),
  fc
    .tuple(fc.constantFrom<unknown>('ref/resource', 'ref/template', null), fc.constantFrom('{id}', '', '{'))
    .map(([type, rest]) => (name: string) => ({ type, uri: `y:/${name}/${rest}` })),
);
const lists = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'] as const;
const cursors = fc
  .tuple(
    fc.constantFrom(...lists),
    // Mostly a cursor of the list it is given to: each other one is refused before its places are read.
    fc.oneof(
      { arbitrary: fc.constant(undefined), weight: 3 },
      { arbitrary: fc.constantFrom(...lists), weight: 1 },
    ),
    fc.constantFrom('', 'x:/', 'y:/'),
    fc.constantFrom('', '/{id}'),
    fc.constantFrom<(name: string) => unknown[]>(
      (name) => [name],
      (name) => ['seen', name],
      (name) => [name, 'seen'],
      (name) => ['x:/seen', name],
      (name) => [name, 'x:/seen'],
      (name) => [name, name],
      (name) => [name, 7],
      (name) => [name, 'seen', name],
    ),
  )
  .map(([method, of, before, after, places]) => ({
    method,
    params: (name: string) => ({ cursor: cursor([of ?? method, ...places(`${before}${name}${after}`)]) }),
  }));

interface Asked {
  readonly method: string;
  params(name: string): object;
}

const used = fc
  .tuple(fc.constantFrom('tools/call', 'prompts/get'), values, meta, more, rounds)
  .map(([method, args, ...rest]): Asked => ({
    method,
    params: (name) => Object.assign({ name, arguments: args }, ...rest) as object,
  }));
const read = fc
  .tuple(fc.constantFrom('resources/read', 'resources/subscribe'), uris, meta, more, rounds)
  .map(([method, uri, ...rest]): Asked => ({
    method,
    params: (name) => Object.assign({ uri: uri(name) }, ...rest) as object,
  }));
const watched = uris.map((uri): Asked => ({
  method: 'subscriptions/listen',
  params: (name) => ({ notifications: { resourceSubscriptions: [uri(name)], toolsListChanged: true } }),
}));
const completed = fc
  .tuple(refs, values, values, values, meta)
  .map(([ref, a, value, context, rest]): Asked => ({
    method: 'completion/complete',
    params: (name) => ({ ref: ref(name), argument: { name: a, value }, context, ...rest }),
  }));
const asked = fc.oneof(used, read, watched, completed, cursors);

describe.each(['2026-07-28', '2025-11-25', '2024-11-05'])('%s: hidden and unknown entries', (version) => {
  it('are answered with the same frames but for the name', async () => {
    const { ask } = await script(defineServer({ info, offers: things, interceptors }), version);
    const told = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(asked, async ({ method, params }) => {
        const [of, other] = [await ask(method, params(hidden)), await ask(method, params(nothing))];
        expect(named(of, hidden)).toBe(named(other, nothing));
        const kind = `${method} ${of.error === undefined ? 'given' : of.error.code}`;
        told.set(kind, (told.get(kind) ?? 0) + 1);
      }),
      { numRuns: 500 },
    );
    // A list is given for cursors that are read, nearly all else is refused; both have to have come up.
    expect(lists.reduce((sum, list) => sum + (told.get(`${list} given`) ?? 0), 0)).toBeGreaterThan(1);
    for (const method of ['tools/call', 'prompts/get', 'completion/complete'])
      expect(told.get(`${method} -32602`)).toBeGreaterThan(10);
  });

  it.each(['row:///', 'log:///'])(
    'are watched the same below %s, whatever the source throws',
    async (below) => {
      const { ask } = await script(defineServer({ info, offers: things, interceptors }), version);
      const watch = (uri: string) =>
        version < '2026'
          ? ask('resources/subscribe', { uri })
          : ask('subscriptions/listen', { notifications: { resourceSubscriptions: [uri] } });
      for (const place of [below, `${below}old/`]) {
        const [of, other] = [await watch(place + hidden), await watch(place + nothing)];
        expect(named(of, hidden)).toBe(named(other, nothing));
      }
    },
  );

  it('are answered the same while a live list has emitted nothing', async () => {
    const offers = [
      offerTools(NEVER, { offerTimeoutMs: 20 }),
      offerPrompts(NEVER, { offerTimeoutMs: 20 }),
      offerResources(NEVER, { offerTimeoutMs: 20 }),
    ];
    const server = defineServer({ info, offers, interceptors });
    const faults: string[] = [];
    server.faults$.subscribe(({ code }) => void faults.push(code));
    const { ask } = await script(server, version);
    for (const [method, member] of [
      ['tools/call', 'name'],
      ['prompts/get', 'name'],
      ['resources/read', 'uri'],
      ['resources/subscribe', 'uri'],
    ] as const)
      for (const spelled of [(name: string) => `x:/${name}`, (name: string) => `x:/${name}%zz`]) {
        const frames = [hidden, nothing].map(async (name) =>
          named(await ask(method, { [member]: spelled(name) }), name),
        );
        const [of, other] = await Promise.all(frames);
        expect(of).toBe(other);
      }
    expect(faults).toContain('OFFER_TIMEOUT');
  });

  it('are answered the same while the list of another server is late', async () => {
    const late = <T>(...items: readonly T[]) => new BehaviorSubject<readonly T[]>(markPartial(items));
    const offers = [
      offerTools(late(tools(hidden)), { offerTimeoutMs: 20 }),
      offerPrompts(late(prompts(hidden)), { offerTimeoutMs: 20 }),
      offerResources(
        late<Resource | Template>(
          resource(`x:/${hidden}`, {}, 'x'),
          template(`y:/${hidden}/{id}`, {}, () => 'y'),
        ),
        {
          offerTimeoutMs: 20,
        },
      ),
    ];
    const { ask } = await script(defineServer({ info, offers, interceptors }), version);
    for (const [method, params] of [
      ['tools/call', (name: string) => ({ name })],
      ['prompts/get', (name: string) => ({ name })],
      ['resources/read', (name: string) => ({ uri: `x:/${name}` })],
      ['resources/read', (name: string) => ({ uri: `y:/${name}/1` })],
    ] as const) {
      const frames = [hidden, nothing].map(async (name) => named(await ask(method, params(name)), name));
      const [of, other] = await Promise.all(frames);
      expect(other).toContain('-31003');
      expect(of).toBe(other);
    }
  });
});

it('a policy that throws hides, and is reported once a request', async () => {
  const table: Record<string, { open: boolean }> = { seen: { open: true }, vault: { open: false } };
  const policy = authorize({ allow: (_caller, _kind, item) => (table[item] as { open: boolean }).open });
  const server = defineServer({ info, offers: things, interceptors: [policy] });
  const faults: Fault[] = [];
  server.faults$.subscribe((fault) => void faults.push(fault));
  const { ask } = await script(server, '2025-11-25');
  const [of, other] = [await ask('tools/call', { name: hidden }), await ask('tools/call', { name: nothing })];
  expect(named(of, hidden)).toBe(named(other, nothing));
  expect(faults).toMatchObject([{ code: 'AUTHORIZE_FAILED', cause: expect.any(TypeError) as unknown }]);
  const list = await ask('tools/list', {});
  expect(list.result).toMatchObject({ tools: [{ name: 'seen' }] });
});

const info = { name: 'house', version: '1.0.0' };

function named(frame: object, name: string): string {
  const first = `%${name.charCodeAt(0).toString(16)}${name.slice(1)}`;
  return JSON.stringify(frame).replaceAll(name, '<name>').replaceAll(first, '<first>');
}

function cursor(parts: readonly unknown[]): string {
  return btoa(JSON.stringify(parts)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
