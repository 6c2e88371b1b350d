import type { JsonObject, Offer } from '@rxmcp/core';
import { defineClient, defineServer, once } from '@rxmcp/core';
import { defineServerOffer } from '@rxmcp/core/internal';
import { memory } from '@rxmcp/memory';
import { prompts } from '@rxmcp/prompts';
import { resources } from '@rxmcp/resources';
import { offerTools, tool, tools } from '@rxmcp/tools';
import { firstValueFrom, tap } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { offerRemote } from '../src/index.js';
import { connected, gateway, info, legacy, modern, pairs, sentBy, served } from './rig.js';

/** An offer that sends whatever it is given. */
const sending = (capability: string, responses: Readonly<Record<string, unknown>>): Offer =>
  defineServerOffer({
    name: capability,
    side: 'server',
    capabilities: { [capability]: { listChanged: true } },
    methods: Object.entries(responses).map(([method, response]) => ({
      method,
      handle: () => response as JsonObject,
    })),
  });

const toolList = (names: readonly unknown[]): JsonObject => ({
  tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })),
});

const invalid = [
  ['"content" is no array', { content: 5 }],
  ['"content[0]"', { content: [7, null] }],
  ['"content" is no array', {}],
  ['"content[0]"', { content: [{ type: 'text' }] }],
  ['"isError" is no boolean', { content: [], isError: 'yes' }],
] as const;

describe.each(pairs)('a server with invalid responses, outer %s, inner %s', (...pair) => {
  it('fails only the call, with an error that names the server', async () => {
    for (const [problem, response] of invalid) {
      const offer = sending('tools', { 'tools/list': toolList(['x']), 'tools/call': response });
      const { remote } = await gateway([offer], pair, { prefix: 'a' });
      await expect(once(tools(remote).call('a-x'))).rejects.toMatchObject({
        code: -32603,
        message: expect.stringMatching(/^server "a" sent an invalid response: tools\/call "x": /),
        data: { code: 'INVALID_RESULT', outcome: 'answered' },
      });
      await expect(once(tools(remote).call('a-x'))).rejects.toThrow(problem);
    }
  });

  it('is left to the client for prompts and resources, which pass unchanged', async () => {
    const offers = [
      sending('prompts', {
        'prompts/list': { prompts: [{ name: 'p' }] },
        'prompts/get': { messages: 'x' },
      }),
      sending('resources', {
        'resources/list': { resources: [{ name: 'r', uri: 'test://r' }] },
        'resources/read': { contents: 7 },
      }),
    ];
    const { remote } = await gateway(offers, pair);
    await expect(once(prompts(remote).get('p'))).rejects.toMatchObject({ code: 'INVALID_RESULT' });
    await expect(once(resources(remote).read('test://r'))).rejects.toMatchObject({ code: 'INVALID_RESULT' });
  });

  it.each([[{}], [{ prefix: 'a' }]])(
    'has its tools with odd names, and they hide no other: %j',
    async (options) => {
      const odd = ['', '__proto__', 'constructor', 'a\nb', '../x', '\u00fc\ud83d\ude00', '\u202eabc'];
      const offer = sending('tools', {
        'tools/list': toolList([...odd, 5, null, 'ok']),
        'tools/call': { content: [] },
      });
      const { remote } = await gateway([offer], pair, options);
      const all = await once(tools(remote).list());
      const prefix = 'prefix' in options ? 'a-' : '';
      expect(all.map(({ name }) => name)).toEqual([...odd, 'ok'].map((name) => prefix + name));
      for (const { name } of all) expect(await once(tools(remote).call(name))).toEqual({ content: [] });
    },
  );

  it('has 10,000 tools', async () => {
    const names = Array.from({ length: 10_000 }, (_, at) => `tool_${at}`);
    const offer = sending('tools', { 'tools/list': toolList(names), 'tools/call': { content: [] } });
    const { remote } = await gateway([offer], pair, { prefix: 'a' });
    expect(await once(tools(remote).list())).toHaveLength(10_000);
    expect(await once(tools(remote).call('a-tool_9999'))).toEqual({ content: [] });
  });
});

it('a flood of list changes does not make a flood of lists, and other servers answer', async () => {
  const flood = defineServerOffer({
    name: 'tools',
    side: 'server',
    capabilities: { tools: { listChanged: true } },
    methods: [
      { method: 'tools/list', handle: () => toolList(['flood']) },
      {
        method: 'tools/call',
        handle: (_params, ctx) => {
          for (let sent = 0; sent < 5_000; sent += 1) ctx.notify('notifications/tools/list_changed');
          return { content: [] };
        },
      },
    ],
  });
  const inner = await connected(served('flooding', [flood]), legacy);
  const other = await connected(served('other', [offerTools([tool('y', () => 'y')])]), legacy);
  const remote = await connected(
    served(
      'gateway',
      [inner, other].flatMap((each) => offerRemote(each)),
    ),
    modern,
  );
  const changes: unknown[] = [];
  tools(remote).list$.subscribe((list) => changes.push(list));
  await firstValueFrom(tools(remote).list$);
  const sent = sentBy(inner);
  const flooded = once(tools(remote).call('flood'));
  expect(await once(tools(remote).call('y'))).toMatchObject({ content: [{ text: 'y' }] });
  expect(await flooded).toEqual({ content: [] });
  await vi.waitFor(() => expect(sent).toContain('tools/list'));
  expect(sent.filter((method) => method === 'tools/list').length).toBeLessThan(500);
  // The content is the same, so that clients of the gateway are not notified.
  expect(changes).toHaveLength(1);
});

it('a gateway that reaches itself offers its own items, each at most three times', async () => {
  const link = memory();
  const faults: unknown[] = [];
  const live$ = defineClient({ info, versions: [modern] })
    .live(link)
    .pipe(tap((remote) => remote.faults$.subscribe(({ message }) => faults.push(message))));
  const offers = [offerTools([tool('own', () => 'own')]), ...offerRemote(live$, { prefix: 'g' })];
  const handle = link.serve(defineServer({ info, offers }));
  const remote = await connected({ link }, modern);
  const lists: string[] = [];
  tools(remote).list$.subscribe((list) => lists.push(list.map(({ name }) => name).join()));
  await vi.waitFor(() => expect(faults).toHaveLength(1), 5_000);
  await vi.waitFor(() => expect(lists.at(-1)).toBe('own,g-own,g-g-own'), 5_000);
  expect(faults[0]).toMatch(/^tool "g-g-own" of server "g" is left out: its name has the prefix 2 times/);
  expect(await once(tools(remote).call('g-g-own'))).toMatchObject({ content: [{ text: 'own' }] });
  await remote.close();
  await handle.close();
});
