import { BehaviorSubject, Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { offerMethod } from '../../src/index.js';
import { authorize } from '../../src/interceptors/index.js';
import { defineOffer, listPages, liveSet } from '../../src/internal.js';
import type { RawClient } from '../rig/raw-client.js';
import { joined, modernMeta, rawClient } from '../rig/raw-client.js';
import { tools } from './offered.js';
import { eras } from './pair.js';

const secret = new Set<string>();
const interceptors = [
  authorize({
    allow: ({ principal = 'nobody' }, _kind, item) =>
      !secret.has(item) && (!/ada|bob/.test(item) || item.includes(principal)),
  }),
];

/** Has a client follow the tools, in the way of its era. */
async function follow(client: RawClient, era: string, notification = 'toolsListChanged'): Promise<void> {
  if (era === 'legacy') await client.shake();
  else {
    const params = { notifications: { [notification]: true }, _meta: modernMeta() };
    client.put({ jsonrpc: '2.0', id: 'l', method: 'subscriptions/listen', params });
  }
  await client.take();
}
const notices = async (client: RawClient, list = 'tools'): Promise<number> =>
  (await client.take()).filter(({ method }) => method === `notifications/${list}/list_changed`).length;

describe.each(eras)('%s: sends a changed list', (era) => {
  it('to callers for whom it looks different than before', async () => {
    const names = new BehaviorSubject(['all', 'ada-1', 'bob-1']);
    const ada = rawClient([tools(names, 2)], { interceptors, traits: { principal: 'ada' } });
    const bob = joined(ada.server, { principal: 'bob' });
    const nobody = joined(ada.server);
    const all = [ada, bob, nobody];
    for (const client of all) await follow(client, era);
    const told = async (next: string[]): Promise<number[]> => {
      names.next(next);
      const counts: number[] = [];
      for (const client of all) counts.push(await notices(client));
      return counts;
    };
    expect(await told(['all', 'ada-1', 'ada-2', 'bob-1'])).toEqual([1, 0, 0]);
    expect(await told(['all', 'ada-2', 'bob-1', 'bob-2'])).toEqual([1, 1, 0]);
    expect(await told(['all', 'more', 'ada-2', 'bob-1', 'bob-2'])).toEqual([1, 1, 1]);
    expect(await told(['more', 'all', 'ada-2', 'bob-1', 'bob-2'])).toEqual([1, 1, 1]);
    // What each caller may see has changed too, and no client was notified.
    secret.add('more');
    expect(await told(['more', 'all', 'bob-1', 'bob-2'])).toEqual([1, 1, 1]);
    secret.clear();
  });

  it('to all where the previous list, or what each caller sees, is unknown', async () => {
    const late = new Subject<string[]>();
    const early = rawClient([tools(late)], { interceptors });
    await follow(early, era);
    late.next(['bob-1']);
    // The first set is not a change.
    expect(await notices(early)).toBe(0);
    late.next(['bob-1', 'bob-2']);
    expect(await notices(early)).toBe(1);
    late.next(['bob-1']);
    expect(await notices(early)).toBe(0);

    let changed: () => void = () => undefined;
    const own = [
      offerMethod('tools/list', {}, (_params, { caller }) => ({ tools: [], of: caller.principal })),
      defineOffer({
        name: 'own',
        side: 'server',
        capabilities: { tools: { listChanged: true } },
        start: (host) => void (changed = () => host.changed('tools')),
      }),
    ];
    const client = rawClient(own, { interceptors });
    await follow(client, era);
    changed();
    expect(await notices(client)).toBe(1);
  });

  it.each(['resources/list', 'resources/templates/list', 'prompts/list'])(
    'to callers for whom %s looks different than before',
    async (method) => {
      const member =
        { 'resources/list': 'resources', 'prompts/list': 'prompts' }[method] ?? 'resourceTemplates';
      const list = method === 'prompts/list' ? 'prompts' : 'resources';
      const items = new BehaviorSubject(['ada-1']);
      const entry = (name: string) => ({ name, uri: name, uriTemplate: name });
      const set = liveSet<string>({
        name: list,
        source: items,
        keyOf: (item) => item,
        content: (all) => all,
      });
      const offer = defineOffer({
        name: list,
        side: 'server',
        capabilities: { [list]: { listChanged: true } },
        methods: [
          { method, handle: listPages({ method, member, set, keyOf: (item: string) => item, entry }) },
        ],
        start: (host) => set.start(host, list),
      });
      const ada = rawClient([offer], { interceptors, traits: { principal: 'ada' } });
      const nobody = joined(ada.server);
      for (const client of [ada, nobody]) await follow(client, era, `${list}ListChanged`);
      items.next(['ada-1', 'ada-2']);
      expect([await notices(ada, list), await notices(nobody, list)]).toEqual([1, 0]);
    },
  );

  it('to all without such an interceptor', async () => {
    const names = new BehaviorSubject(['bob-1']);
    const client = rawClient([tools(names)]);
    await follow(client, era);
    names.next(['bob-2']);
    expect(await notices(client)).toBe(1);
  });
});

it('notifying many subscribers of a long list lets other work run in between', async () => {
  const names = new BehaviorSubject(['all']);
  let asked = 0;
  const slow = authorize({
    allow: () => {
      const until = performance.now() + (asked++ < 200 ? 0 : 5);
      while (performance.now() < until);
      return true;
    },
  });
  const client = rawClient([tools(names)], { interceptors: [slow] });
  const others = Array.from({ length: 9 }, () => joined(client.server));
  for (const one of [client, ...others]) await follow(one, 'modern');
  asked = 200;
  names.next(['more']);
  let turns = 0;
  const told = () => [client, ...others].filter((one) => one.sent.length > 1).length;
  while (told() < 10) {
    turns += 1;
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  expect(turns).toBeGreaterThan(2);
});
