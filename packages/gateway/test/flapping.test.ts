import { defineClient, defineServer, once, reconnect } from '@rxmcp/core';
import { offerResources, resource, resources } from '@rxmcp/resources';
import { offerTools, tool, tools } from '@rxmcp/tools';
import { BehaviorSubject } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { offerRemote } from '../src/index.js';
import { connected, info, pairs, sentBy, served, subscriptions } from './rig.js';

const flaps = ['second', 'third', 'fourth'];

describe.each(pairs)('a server that comes and goes, outer %s, inner %s', (outerVersion, innerVersion) => {
  it('disturbs neither the other servers nor their subscribers, and is back each time', async () => {
    const values$ = new BehaviorSubject('0');
    const steady = await connected(
      served('steady', [
        offerTools([tool('y', () => 'y')]),
        offerResources([resource('test://v', { name: 'v' }, values$)]),
      ]),
      innerVersion,
    );
    const sent = sentBy(steady);
    const watched = subscriptions(steady);
    const flapping = served('flapping', [offerTools([tool('first', () => 'first')])]);
    const live$ = defineClient({ info, versions: [innerVersion] })
      .live(flapping.link)
      .pipe(reconnect({ initialDelayMs: 1, jitter: false }));
    const outer = served('gateway', [
      ...offerRemote(live$, { prefix: 'f' }),
      ...offerRemote(steady, { prefix: 's' }),
    ]);
    const remote = await connected(outer, outerVersion);

    const seen: unknown[] = [];
    const ends: unknown[] = [];
    const ended = { error: (error: unknown) => ends.push(error), complete: () => ends.push('complete') };
    resources(remote)
      .watch('test://v')
      .subscribe({ next: ([value]) => seen.push(value?.text), ...ended });
    const lists: string[] = [];
    tools(remote).list$.subscribe({
      next: (list) => lists.push(list.map(({ name }) => name).join()),
      ...ended,
    });
    await vi.waitFor(() => expect([lists.at(-1), seen.at(-1)]).toEqual(['f-first,s-y', '0']));
    await vi.waitFor(() => expect(watched()).toContain('test://v'));

    let close = flapping.close;
    for (const [round, name] of flaps.entries()) {
      await close();
      await expect(once(tools(remote).call(lists.at(-1)?.split(',')[0] ?? ''))).rejects.toMatchObject({
        code: -31003,
        retryable: true,
      });
      expect(await once(tools(remote).call('s-y'))).toMatchObject({ content: [{ text: 'y' }] });
      values$.next(String(round + 1));
      await vi.waitFor(() => expect(seen.at(-1)).toBe(String(round + 1)));
      const back = flapping.link.serve(
        defineServer({ info, offers: [offerTools([tool(name, () => name)])] }),
      );
      close = () => back.close();
      await vi.waitFor(() => expect(lists.at(-1)).toBe(`f-${name},s-y`));
      expect(await once(tools(remote).call(`f-${name}`))).toMatchObject({ content: [{ text: name }] });
    }
    expect(lists).toEqual(['first', ...flaps].map((name) => `f-${name},s-y`));
    expect(ends).toEqual([]);
    // The other server was neither listed nor subscribed to again.
    expect(watched()).toEqual(['test://v']);
    const again = sent.filter((method) => /subscribe|listen|list$/.test(method));
    expect(again).toEqual([...new Set(again)]);
    await close();
  });
});
