import { once } from 'rxmcp';
import type { JsonObject } from 'rxmcp';
import { prompts } from 'rxmcp/prompts';
import { resources, readText } from 'rxmcp/resources';
import { offerRoots } from 'rxmcp/roots';
import { tools } from 'rxmcp/tools';
import { BehaviorSubject } from 'rxjs';
import { expect, vi } from 'vitest';
import { each } from './harness.js';

const needs = { serverInitiates: true };
const uri = 'test://value';

/** The notifications that a client asked for, in either era. */
const wanted = (sent: readonly JsonObject[]): unknown[] =>
  sent.flatMap(({ method, params }) => {
    if (method === 'resources/subscribe') return ['subscribe'];
    if (method !== 'subscriptions/listen') return [];
    const { notifications } = params as { notifications: JsonObject };
    return Object.keys(notifications);
  });

const notices = (received: readonly JsonObject[]): unknown[] =>
  received.flatMap(({ method }) =>
    /list_changed$|updated$/.test(String(method)) ? [String(method).replace('notifications/', '')] : [],
  );

for (const subscribe of [false, true]) {
  for (const listChanged of [false, true]) {
    const words = `${subscribe ? 'with' : 'without'} subscribe, ${listChanged ? 'with' : 'without'} listChanged`;
    const options = { subscribe, listChanged };
    each(
      `resources ${words}: undeclared features are not used`,
      { server: 'abilities', options, needs },
      async (cell) => {
        const { remote, sent, received } = await cell.connect();
        expect(remote.capabilities['resources']).toEqual({
          ...(subscribe ? { subscribe } : {}),
          ...(listChanged ? { listChanged } : {}),
        });
        const values: string[] = [];
        const lists: number[] = [];
        const { list$, watch } = resources(remote);
        const watched = watch(uri);
        expect(watched.isLive).toBe(subscribe);
        const following = [
          watched.subscribe(([contents]) => contents && values.push(readText(contents))),
          list$.subscribe((all) => lists.push(all.length)),
        ];
        await vi.waitFor(() => expect([values, lists]).toEqual([['v1'], [1]]));
        const before = sent.filter(({ method }) => method === 'resources/read').length;
        await once(remote.request('test/change'));
        // Without subscribe a changed list is the only hint that a value may be another.
        const told = subscribe || listChanged;
        await vi.waitFor(() => expect(values.at(-1)).toBe(told ? 'v2' : 'v1'));
        await vi.waitFor(() => expect(lists.at(-1)).toBe(listChanged ? 2 : 1));
        // A further call, so that anything that was under way has arrived.
        await once(resources(remote).list());
        expect(notices(received).sort()).toEqual([
          ...(listChanged ? ['resources/list_changed'] : []),
          ...(subscribe ? ['resources/updated'] : []),
        ]);
        const after = sent.filter(({ method }) => method === 'resources/read').length;
        expect(after - before).toBe(told ? 1 : 0);
        const asked = new Set(wanted(sent));
        expect(asked.has(cell.era === 'legacy' ? 'subscribe' : 'resourceSubscriptions')).toBe(subscribe);
        expect(asked.has('resourcesListChanged')).toBe(cell.era === 'modern' && listChanged);
        following.forEach((one) => one.unsubscribe());
      },
    );
  }
}

for (const live of [false, true]) {
  const words = live ? 'with listChanged are followed' : 'of a static offer are {} and are never followed';
  each(`tools and prompts ${words}`, { server: 'abilities', options: { live }, needs }, async (cell) => {
    const { remote, sent, received } = await cell.connect();
    const declared = live ? { listChanged: true } : {};
    expect(remote.capabilities).toMatchObject({ tools: declared, prompts: declared });
    expect([remote.capabilities['tools'], remote.capabilities['prompts']]).toEqual([declared, declared]);
    const seen: { tools?: number; prompts?: number } = {};
    const following = [
      tools(remote).list$.subscribe((all) => (seen.tools = all.length)),
      prompts(remote).list$.subscribe((all) => (seen.prompts = all.length)),
    ];
    await vi.waitFor(() => expect(seen).toEqual({ tools: 1, prompts: 1 }));
    await once(remote.request('test/change'));
    const count = live ? 2 : 1;
    await vi.waitFor(() => expect(seen).toEqual({ tools: count, prompts: count }));
    await once(tools(remote).list());
    expect(notices(received).sort()).toEqual(live ? ['prompts/list_changed', 'tools/list_changed'] : []);
    const asked = cell.era === 'modern' && live ? ['toolsListChanged', 'promptsListChanged'].sort() : [];
    expect([...new Set(wanted(sent))].sort()).toEqual(asked);
    following.forEach((one) => one.unsubscribe());
  });
}

each(
  'roots: a static list is {} and never announces a change, a live one does where a revision lets it',
  { server: 'asking' },
  async (cell) => {
    const root = { uri: 'file:///one' };
    const source = new BehaviorSubject([root]);
    const declaredBy = (sent: readonly JsonObject[]): unknown => {
      const opening = sent[0]?.['params'] as { capabilities?: JsonObject; _meta?: JsonObject };
      const capabilities = (opening.capabilities ??
        opening._meta?.['io.modelcontextprotocol/clientCapabilities']) as JsonObject;
      return capabilities['roots'];
    };
    const still = await cell.connect({ offers: [offerRoots(source.value)] });
    const live = await cell.connect({ offers: [offerRoots(source)] });
    expect(declaredBy(still.sent)).toEqual({});
    expect(declaredBy(live.sent)).toEqual(cell.era === 'legacy' ? { listChanged: true } : {});
    source.next([root, { uri: 'file:///two' }]);
    await once(tools(live.remote).list());
    await once(tools(still.remote).list());
    const announced = (sent: readonly JsonObject[]): number =>
      sent.filter(({ method }) => method === 'notifications/roots/list_changed').length;
    expect([announced(still.sent), announced(live.sent)]).toEqual([0, cell.era === 'legacy' ? 1 : 0]);
  },
);
