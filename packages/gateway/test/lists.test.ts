import { defineClient, once } from '@rxmcp/core';
import { completion } from '@rxmcp/completion';
import type { Prompt } from '@rxmcp/prompts';
import { offerPrompts, prompt, prompts } from '@rxmcp/prompts';
import { isResourceNotFound, offerResources, resource, resources } from '@rxmcp/resources';
import { BehaviorSubject } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { offerRemote } from '../src/index.js';
import { innerServer } from './inner.js';
import { connected, gateway, info, modern, pairs, sentBy, served, subscriptions } from './rig.js';

describe.each(pairs)('resources, outer %s, inner %s', (...pair) => {
  it('lists and reads them as they are', async () => {
    const { remote, inner } = await gateway(innerServer().offers, pair, { prefix: 'a' });
    expect(await once(resources(remote).list())).toEqual(await once(resources(inner).list()));
    expect(await once(resources(remote).templates())).toEqual(await once(resources(inner).templates()));
    const { read } = resources(remote);
    expect(await once(read('test://clock'))).toEqual([
      { uri: 'test://clock', mimeType: 'text/plain', text: '12:00' },
    ]);
    expect(await once(read('file:///notes/one'))).toMatchObject([{ text: 'note one' }]);
  });

  it('rejects missing ones with the code of the revision of the client', async () => {
    const { remote } = await gateway(innerServer().offers, pair);
    const failure: unknown = await once(resources(remote).read('file:///notes/none')).catch(
      (error: unknown) => error,
    );
    expect(isResourceNotFound(failure)).toBe(true);
    expect(failure).toMatchObject({ code: pair[0] < '2026' ? -32002 : -32602 });
  });

  it('passes updates on, from one subscription at the inner server', async () => {
    const own = innerServer();
    const { remote, inner, outer } = await gateway(own.offers, pair);
    const sent = sentBy(inner);
    const open = subscriptions(inner);
    const other = await connected(outer, pair[0]);
    const seen: unknown[][] = [[], []];
    const watching = [remote, other].map((each, at) =>
      resources(each)
        .watch('test://clock')
        .subscribe(([one]) => seen[at]?.push(one?.text)),
    );
    await vi.waitFor(() => expect(seen.map((texts) => texts.at(-1))).toEqual(['12:00', '12:00']));
    await vi.waitFor(() => expect(open().some((uri) => uri === 'test://clock')).toBe(true));
    own.clock$.next('12:01');
    await vi.waitFor(() => expect(seen.map((texts) => texts.at(-1))).toEqual(['12:01', '12:01']));
    expect(open().filter((uri) => uri === 'test://clock')).toHaveLength(1);
    expect(sent.filter((method) => method === 'resources/unsubscribe')).toEqual([]);
    for (const each of watching) each.unsubscribe();
  });

  it('announces a changed list', async () => {
    const all$ = new BehaviorSubject([resource('test://a', { name: 'a' }, 'A')]);
    const { remote } = await gateway([offerResources(all$)], pair);
    const uris: string[][] = [];
    resources(remote).list$.subscribe((list) => uris.push(list.map(({ uri }) => uri)));
    await vi.waitFor(() => expect(uris).toEqual([['test://a']]));
    all$.next([resource('test://b', { name: 'b' }, 'B')]);
    await vi.waitFor(() => expect(uris.at(-1)).toEqual(['test://b']));
    expect(await once(resources(remote).read('test://b'))).toMatchObject([{ text: 'B' }]);
  });
});

describe.each(pairs)('prompts and completion, outer %s, inner %s', (...pair) => {
  it('lists and gets prompts', async () => {
    const { remote, inner } = await gateway(innerServer().offers, pair, { prefix: 'a' });
    const original = await once(prompts(inner).list());
    expect(await once(prompts(remote).list())).toEqual(
      original.map((one) => ({ ...one, name: `a-${one.name}` })),
    );
    expect(await once(prompts(remote).get('a-greet', { who: 'Ada' }))).toEqual(
      await once(prompts(inner).get('greet', { who: 'Ada' })),
    );
    await expect(once(prompts(remote).get('a-greet'))).rejects.toMatchObject({ code: -32602 });
  });

  it('announces a changed list of prompts', async () => {
    const all$ = new BehaviorSubject<readonly Prompt[]>([prompt('one', () => '1')]);
    const { remote } = await gateway([offerPrompts(all$)], pair);
    const names: string[][] = [];
    prompts(remote).list$.subscribe((list) => names.push(list.map(({ name }) => name)));
    await vi.waitFor(() => expect(names).toEqual([['one']]));
    all$.next([prompt('two', () => '2')]);
    await vi.waitFor(() => expect(names.at(-1)).toEqual(['two']));
  });

  it('completes arguments of prompts and variables of templates', async () => {
    const { remote } = await gateway(innerServer().offers, pair, { prefix: 'a' });
    await once(prompts(remote).list());
    await once(resources(remote).templates());
    const { prompt: ofPrompt, template } = completion(remote);
    expect(await once(ofPrompt('a-greet', 'who', 'A'))).toMatchObject({ values: ['Ada', 'Alan'] });
    expect(await once(template('file:///notes/{name}', 'name', 't'))).toMatchObject({ values: ['two'] });
    await expect(once(ofPrompt('greet', 'who', 'A'))).rejects.toMatchObject({ code: -32602 });
  });
});

it('a completion that comes before the lists waits for them', async () => {
  const inner = served('inner', innerServer().offers);
  const live$ = defineClient({ info }).live(inner.link);
  const remote = await connected(served('gateway', offerRemote(live$, { prefix: 'a' })), modern);
  const { prompt: ofPrompt, template } = completion(remote);
  expect(await once(ofPrompt('a-greet', 'who', 'A'))).toMatchObject({ values: ['Ada', 'Alan'] });
  expect(await once(template('file:///notes/{name}', 'name', 't'))).toMatchObject({ values: ['two'] });
});
