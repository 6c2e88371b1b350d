import { once, type JsonObject, type Offer, type Remote } from '@rxmcp/core';
import { defineOffer } from '@rxmcp/core/internal';
import { BehaviorSubject, firstValueFrom, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { type ResourceDefinition, offerResources, resource, resources } from '../src/index.js';
import { type Era, eras, serve, settled, laterThanOldest } from './fixture.js';

/** A server that answers whatever the test says. */
function answering(responses: Readonly<Record<string, (params: JsonObject) => JsonObject>>): Offer {
  return defineOffer({
    name: 'odd',
    side: 'server',
    capabilities: { resources: {} },
    methods: Object.entries(responses).map(([method, handle]) => ({ method, handle })),
  });
}

/** The methods that a remote sends from now on. */
function sentMethods(remote: Remote): string[] {
  const methods: string[] = [];
  remote.wire$.subscribe(({ direction, message }) => {
    const { method } = message as { method?: unknown };
    if (direction === 'out' && typeof method === 'string') methods.push(method);
  });
  return methods;
}

describe.each(eras)('using resources, %s %j', (...era: Era) => {
  it('keeps unknown members and drops invalid ones', async () => {
    const offer = answering({
      'resources/list': () => ({
        resources: [
          { uri: 'x:a', name: 'a', later: { deep: [1] }, size: 0 },
          { uri: 'x:b', name: 'b', title: 5, size: -1, icons: 'none', mimeType: 'text/plain' },
          { uri: 'x:c' },
          { name: 'd' },
          'nonsense',
          null,
        ],
      }),
      'resources/templates/list': () => ({
        resourceTemplates: [
          { uriTemplate: 'x:{/level4*}', name: 't', _meta: { m: 1 } },
          { uri: 'x:a', name: 'a' },
        ],
      }),
    });
    const use = resources(await serve(offer).connect(era));
    expect(await once(use.list())).toEqual([
      { uri: 'x:a', name: 'a', later: { deep: [1] }, size: 0 },
      { uri: 'x:b', name: 'b', mimeType: 'text/plain' },
    ]);
    expect(await once(use.templates())).toEqual([
      { uriTemplate: 'x:{/level4*}', name: 't', ...laterThanOldest(era, { _meta: { m: 1 } }) },
    ]);
  });

  it.each<[string, unknown]>([
    ['no contents', undefined],
    ['contents that are no array', {}],
    ['an entry that is not a JSON object', ['text']],
    ['an entry without a uri', [{ text: '' }]],
    ['neither text nor blob', [{ uri: 'x:a' }]],
    ['both text and blob', [{ uri: 'x:a', text: '', blob: '' }]],
    ['an invalid text', [{ uri: 'x:a', text: 5 }]],
    ['a blob that is no base64', [{ uri: 'x:a', blob: 'a' }]],
  ])('ends a read in INVALID_RESULT for %s', async (_, contents) => {
    const offer = answering({ 'resources/read': () => ({ contents }) });
    const remote = await serve(offer).connect(era);
    await expect(once(resources(remote).read('x:a'))).rejects.toMatchObject({
      code: 'INVALID_RESULT',
      outcome: 'answered',
    });
  });

  it('accepts no contents, and unknown members', async () => {
    const contents = [{ uri: 'x:a/sub', text: '', later: 1 }];
    const offer = answering({ 'resources/read': ({ uri }) => ({ contents: uri === 'x:a' ? contents : [] }) });
    const use = resources(await serve(offer).connect(era));
    expect(await once(use.read('x:a'))).toEqual(contents);
    expect(await once(use.read('x:b'))).toEqual([]);
  });

  it('reports bad arguments as errors, and a missing capability too', async () => {
    const use = resources(await serve(answering({})).connect(era));
    let inside = true;
    use.read('no uri').subscribe({ error: () => expect(inside).toBe(false) });
    inside = false;
    for (const uri of ['no uri', 5 as never, '文件:///a', undefined as never]) {
      await expect(once(use.read(uri))).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
      await expect(firstValueFrom(use.watch(uri))).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
    }
    const without = defineOffer({ name: 'none', side: 'server', capabilities: {} });
    const none = resources(await serve(without).connect(era));
    expect(await firstValueFrom(none.list().pipe(toArray()))).toEqual([[]]);
    expect(await firstValueFrom(none.list$)).toEqual([]);
    expect(await once(none.templates())).toEqual([]);
    await expect(once(none.read('x:a'))).rejects.toMatchObject({ code: 'CAPABILITY_NOT_SUPPORTED' });
  });

  it('sends a uri as it stands in a list, with other characters than ASCII encoded', async () => {
    const offer = answering({ 'resources/read': ({ uri }) => ({ contents: [{ uri, text: '' }] }) });
    const use = resources(await serve(offer).connect(era));
    for (const [given, sent] of [
      ['FILE:///a%2fb%7e', 'FILE:///a%2fb%7e'],
      ['file:///日%e6', 'file:///%E6%97%A5%e6'],
    ]) {
      expect(await once(use.read(given!))).toEqual([{ uri: sent, text: '' }]);
    }
  });

  it('is the same object for the same remote', async () => {
    const remote = await serve(answering({})).connect(era);
    expect(resources(remote)).toBe(resources(remote));
  });
});

describe.each(eras)('watch where single resources are not announced, %s %j', (...era: Era) => {
  const text = new BehaviorSubject('one');
  const live = resource('x:a', {}, () => text.value);

  it('reads anew when the list changes, and reports that it is not live', async () => {
    const offered = new BehaviorSubject<readonly ResourceDefinition[]>([live]);
    const remote = await serve(offerResources(offered, { subscribe: false })).connect(era);
    const sent = sentMethods(remote);
    const watched = resources(remote).watch('x:a');
    const seen: unknown[] = [];
    const subscription = watched.subscribe(([first]) => seen.push((first as { text: string }).text));
    await settled();
    text.next('two');
    await settled();
    expect([watched.isLive, new Set(seen)]).toEqual([false, new Set(['one'])]);
    offered.next([live, resource('x:b', {}, 'b')]);
    await settled();
    expect(seen.at(-1)).toBe('two');
    expect(sent).not.toContain('resources/subscribe');
    subscription.unsubscribe();
    text.next('one');
  });

  it('reads once where no list is announced either, and asks for nothing that is not declared', async () => {
    const offered = new BehaviorSubject<readonly ResourceDefinition[]>([live]);
    const offer = offerResources(offered, { subscribe: false, listChanged: false });
    const remote = await serve(offer).connect(era);
    const sent = sentMethods(remote);
    const watched = resources(remote).watch('x:a');
    const seen: unknown[] = [];
    const ended: string[] = [];
    const subscriptions = [
      watched.subscribe({ next: (contents) => seen.push(contents), complete: () => ended.push('watch') }),
      resources(remote).list$.subscribe({
        next: (all) => seen.push(all),
        complete: () => ended.push('list$'),
      }),
    ];
    await settled();
    offered.next([live, resource('x:b', {}, 'b')]);
    await settled();
    expect([watched.isLive, seen.length, ended]).toEqual([false, 2, []]);
    expect(sent.filter((method) => !['resources/read', 'resources/list'].includes(method))).toEqual([]);
    await remote.close();
    await settled();
    expect(ended.sort()).toEqual(['list$', 'watch']);
    for (const subscription of subscriptions) subscription.unsubscribe();
  });
});
