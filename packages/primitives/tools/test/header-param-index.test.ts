import { BehaviorSubject, firstValueFrom } from 'rxjs';
import { expect, it, onTestFinished } from 'vitest';
import type { Offer } from '@rxmcp/core';
import { once, progressItem } from '@rxmcp/core';
import { defineOffer } from '@rxmcp/core/internal';
import { memory } from '@rxmcp/memory';
import { connectedPair } from '@rxmcp/testing';
import type { Tool, ToolInfo } from '../src/index.js';
import { offerTools, tool, tools } from '../src/index.js';
import { mirrorLink } from './header-param-link.js';

const input = (header: string) => ({
  type: 'object',
  properties: { region: { type: 'string', 'x-mcp-header': header }, at: { type: 'object' } },
});
let runs = 0;
const place = (header = 'Region') =>
  tool('place', { input: input(header) }, async function* (args) {
    runs += 1;
    yield progressItem(1);
    yield `in ${String(args.region)}`;
  });
const version = '2026-07-28';
const beside = (more: object) => ({ version, method: 'tools/call', name: 'place', ...more });
const paired = (
  link: ReturnType<typeof mirrorLink>,
  offers: readonly Offer[] = [offerTools([place()])],
  pinned = version,
) => connectedPair({ server: offers, link, version: pinned, onCleanup: onTestFinished });

it('sends the arguments that a list names as headers of the call', async () => {
  const link = mirrorLink();
  const { remote, clientFaults } = await paired(link);
  await once(tools(remote).list());
  const result = await once(tools(remote).call('place', { region: 'eu' }));
  expect(result.content).toMatchObject([{ text: 'in eu' }]);
  await once(tools(remote).call('place', { region: null }));
  expect(link.mirrors.slice(-2)).toEqual([beside({ 'param.region': 'eu' }), beside({})]);
  expect(clientFaults).toEqual([]);
});

it('a call without a list, or with an old one, is made once more with a fresh one', async () => {
  const live = new BehaviorSubject<readonly Tool[]>([place()]);
  const link = mirrorLink();
  const { remote } = await paired(link, [offerTools(live)]);
  const before = runs;
  const events: unknown[] = [];
  await tools(remote)
    .events('place', { region: 'eu' })
    .forEach((event) => void events.push(event.type));
  expect(events).toEqual(['progress', 'result']);
  live.next([place('Place')]);
  await once(tools(remote).call('place', { region: 'us' }));
  expect(runs - before).toBe(2);
  const calls = link.mirrors.filter(({ method }) => method === 'tools/call');
  expect(calls).toEqual([
    beside({}),
    beside({ 'param.region': 'eu' }),
    beside({ 'param.region': 'us' }),
    beside({ 'param.place': 'us' }),
  ]);
});

it('and no further: a change on the way ends the call', async () => {
  const link = mirrorLink((mirror) =>
    'param.region' in mirror ? { ...mirror, 'param.region': 'us' } : mirror,
  );
  const { remote } = await paired(link);
  const before = runs;
  await expect(once(tools(remote).call('place', { region: 'eu' }))).rejects.toMatchObject({ code: -32020 });
  expect(runs).toBe(before);
  expect(link.mirrors.filter(({ method }) => method === 'tools/call')).toHaveLength(2);
});

const raw = (entries: readonly unknown[]) =>
  defineOffer({
    name: 'tools',
    side: 'server',
    capabilities: { tools: {} },
    methods: [{ method: 'tools/list', handle: () => ({ tools: entries }) }],
  });
const good = { name: 'good', inputSchema: input('Region') };
const bad = { name: 'bad\u001b', inputSchema: input('') };
const names = (list: readonly ToolInfo[]) => list.map(({ name }) => name);

it('row 35: a tool whose schema cannot be mirrored is left out, the others stay, and a fault says why', async () => {
  const { remote, clientFaults } = await paired(mirrorLink(), [raw([bad, good])]);
  expect(names(await once(tools(remote).list()))).toEqual(['good']);
  expect(names(await firstValueFrom(tools(remote).list$))).toEqual(['good']);
  expect(clientFaults).toMatchObject([{ code: 'INVALID_TOOL' }]);
  expect(clientFaults[0]?.message).toBe(
    'tool "bad\\u001b" is left out: "x-mcp-header" is "", which is not a header name',
  );
});

it('row 35: without headers of requests, and in older revisions, such a tool stays', async () => {
  for (const [link, pinned] of [
    [memory(), version],
    [mirrorLink(), '2025-11-25'],
  ] as const) {
    const server = [raw([bad, good])];
    const { remote, clientFaults } = await connectedPair({
      server,
      link,
      version: pinned,
      onCleanup: onTestFinished,
    });
    expect(names(await once(tools(remote).list()))).toEqual([bad.name, 'good']);
    expect(clientFaults).toEqual([]);
  }
});
