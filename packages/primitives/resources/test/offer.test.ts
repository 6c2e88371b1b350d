import { once } from '@rxmcp/core';
import { BehaviorSubject, NEVER, of, Subject } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import {
  type ResourceDefinition,
  type OfferResourcesOptions,
  offerResources,
  resource,
  resources,
  template,
} from '../src/index.js';
import { type Era, eras, serve, settled, laterThanOldest } from './fixture.js';

const fixed = resource('x:fixed', {}, 'value');
const moving = resource('x:moving', {}, of('a'));

describe('the declared capabilities', () => {
  const live = (items: readonly ResourceDefinition[]): BehaviorSubject<readonly ResourceDefinition[]> =>
    new BehaviorSubject(items);

  it.each([
    ['fixed values', offerResources([fixed]), {}],
    ['nothing', offerResources([]), {}],
    ['a promised value', offerResources([resource('x:p', {}, Promise.resolve('p'))]), {}],
    ['an Observable', offerResources([fixed, moving]), { subscribe: true }],
    ['a function', offerResources([resource('x:f', {}, () => 'f')]), { subscribe: true }],
    ['a value with changes', offerResources([resource('x:c', { changes: NEVER }, 'c')]), { subscribe: true }],
    ['a template', offerResources([template('t:/{v}', {}, () => 't')]), { subscribe: true }],
    ['a live list', offerResources(live([])), { subscribe: true, listChanged: true }],
    ['a live list without subscribe', offerResources(live([]), { subscribe: false }), { listChanged: true }],
    [
      'a live list without listChanged',
      offerResources(live([]), { listChanged: false }),
      { subscribe: true },
    ],
    ['neither', offerResources(live([moving]), { subscribe: false, listChanged: false }), {}],
    ['subscribe for fixed values', offerResources([fixed], { subscribe: true }), { subscribe: true }],
  ])('%s', (_, offer, flags) => {
    expect(offer.capabilities).toEqual({ resources: flags });
    expect(typeof offer.watch).toBe('subscribe' in flags ? 'function' : 'undefined');
  });

  it('throws for a uri that comes twice, and for a value that is not a resource', () => {
    expect(() => offerResources([fixed, resource('X:fixed', {}, 'other')])).toThrow('"x:fixed"');
    expect(() =>
      offerResources([fixed, template('x:{v}', { list: [{ uri: 'x:fixed' }] }, () => 'v')]),
    ).toThrow('"x:fixed"');
    expect(() =>
      offerResources([template('x:{v}', {}, () => 'a'), template('x:{v}', {}, () => 'b')]),
    ).toThrow('"x:{v}"');
    expect(() => offerResources([{ uri: 'x:a' } as never])).toThrow(TypeError);
    expect(() => offerResources(undefined as never)).toThrow(TypeError);
    expect(() => offerResources([fixed], { pageSize: 0 })).toThrow('pageSize');
  });
});

describe.each(eras)('lists, %s %j', (...era: Era) => {
  it('list all metadata of an entry', async () => {
    const icons = [{ src: 'https://example.com/i.png' }];
    const details = {
      name: 'n',
      title: 'T',
      description: 'D',
      mimeType: 'text/plain',
      annotations: { priority: 1 },
      icons,
      meta: { m: 1 },
    };
    const offer = offerResources([
      resource('file:///日/a.txt', { ...details, size: 3 }, 'abc'),
      resource('file:///d/', {}, []),
      template(
        't:/{v}',
        {
          ...details,
          list: [
            { uri: 't:/1', size: 9 },
            { uri: 't:/2', name: 'two', mimeType: 'image/png' },
          ],
        },
        () => '',
      ),
    ]);
    const use = resources(await serve(offer).connect(era));
    const { meta, title, icons: pictures, ...always } = details;
    const told = { ...always, ...laterThanOldest(era, { title, icons: pictures }) };
    const _meta = laterThanOldest(era, { _meta: meta });
    expect(await once(use.list())).toEqual([
      { uri: 'file:///%E6%97%A5/a.txt', ...told, size: 3, ..._meta },
      { uri: 'file:///d/', name: 'd' },
      { uri: 't:/1', name: '1', mimeType: 'text/plain', size: 9 },
      { uri: 't:/2', name: 'two', mimeType: 'image/png' },
    ]);
    expect(await once(use.templates())).toEqual([{ uriTemplate: 't:/{v}', ...told, ..._meta }]);
    expect(await once(use.read('t:/2'))).toEqual([{ uri: 't:/2', mimeType: 'image/png', text: '' }]);
  });

  it('come in pages of both kinds', async () => {
    const all = Array.from({ length: 7 }, (_, at) => resource(`x:${at}`, {}, `${at}`));
    const families = Array.from({ length: 5 }, (_, at) => template(`t${at}:{v}`, {}, () => ''));
    const remote = await serve(offerResources([...all, ...families], { pageSize: 3 })).connect(era);
    expect((await once(resources(remote).list())).map(({ uri }) => uri)).toEqual(
      all.map(({ info }) => info.uri),
    );
    expect(await once(resources(remote).templates())).toHaveLength(5);
    const first = await once(remote.request('resources/list'));
    expect(first['resources']).toHaveLength(3);
    await expect(once(remote.request('resources/list', { cursor: 'nonsense' }))).rejects.toMatchObject({
      code: -32602,
    });
    await expect(
      once(remote.request('resources/templates/list', { cursor: first['nextCursor'] })),
    ).rejects.toMatchObject({ code: -32602 });
    await expect(once(remote.request('resources/list', { cursor: 1 }))).rejects.toMatchObject({
      code: -32602,
    });
  });

  it('follow a live offer, resources and templates alike', async () => {
    const offered = new BehaviorSubject<readonly ResourceDefinition[]>([fixed]);
    const { connect, faults } = serve(offerResources(offered));
    const use = resources(await connect(era));
    const [uris, texts]: [string[][], string[][]] = [[], []];
    const subscriptions = [
      use.list$.subscribe((all) => uris.push(all.map(({ uri }) => uri))),
      use.templates$.subscribe((all) => texts.push(all.map(({ uriTemplate }) => uriTemplate))),
    ];
    await settled();
    offered.next([fixed, fixed]);
    offered.next([fixed, { no: 'resource' } as never]);
    await settled();
    expect(faults.map(({ code }) => code)).toEqual(['INVALID_OFFER', 'INVALID_OFFER']);
    offered.next([moving, template('t:{v}', {}, () => 'made')]);
    await settled();
    expect([uris.at(-1), texts.at(-1)]).toEqual([['x:moving'], ['t:{v}']]);
    expect(await once(use.read('t:a'))).toMatchObject([{ text: 'made' }]);
    await expect(once(use.read('x:fixed'))).rejects.toMatchObject({ data: { uri: 'x:fixed' } });
    for (const subscription of subscriptions) subscription.unsubscribe();
  });

  it('wait for the first value of a live offer, and report when none comes', async () => {
    const late = new Subject<readonly ResourceDefinition[]>();
    const remote = await serve(offerResources(late)).connect(era);
    const waiting = Promise.all([once(resources(remote).list()), once(resources(remote).read('x:fixed'))]);
    await settled();
    late.next([fixed]);
    expect(await waiting).toMatchObject([[{ uri: 'x:fixed' }], [{ text: 'value' }]]);

    const silent = await serve(offerResources(NEVER, { offerTimeoutMs: 20 })).connect(era);
    await expect(once(resources(silent).list())).rejects.toMatchObject({
      message: expect.stringContaining('20 ms') as string,
    });
    await expect(once(resources(silent).read('x:a'))).rejects.toMatchObject({
      message: expect.stringContaining('20 ms') as string,
    });
  });
});

describe.each(eras)('following through a live offer, %s %j', (...era: Era) => {
  const follow = async (
    offered: BehaviorSubject<readonly ResourceDefinition[]> | Subject<readonly ResourceDefinition[]>,
  ) => {
    const { connect, faults } = serve(offerResources(offered));
    const seen: string[] = [];
    const errors: unknown[] = [];
    const subscription = resources(await connect(era))
      .watch('x:a')
      .subscribe({
        next: ([first]) => seen.push((first as { text: string }).text),
        error: (e: unknown) => errors.push(e),
      });
    await settled();
    return { seen, errors, faults, stop: () => subscription.unsubscribe() };
  };
  const at = (source: Parameters<typeof resource>[2]): ResourceDefinition => resource('x:a', {}, source);

  it('notifies of a new fixed value, and not of the same again', async () => {
    const offered = new BehaviorSubject<readonly ResourceDefinition[]>([at('one')]);
    const { seen } = await follow(offered);
    const before = seen.length;
    offered.next([at('one'), fixed]);
    await settled();
    expect(seen).toHaveLength(before);
    offered.next([at('two')]);
    await settled();
    expect(seen.slice(before)).toEqual(['two']);
  });

  it('switches to another Observable, and stays with the same one', async () => {
    const [one, two] = [new BehaviorSubject('one'), new BehaviorSubject('two')];
    const offered = new BehaviorSubject<readonly ResourceDefinition[]>([at(one)]);
    const { seen, stop } = await follow(offered);
    const before = seen.length;
    offered.next([at(one), fixed]);
    await settled();
    expect(seen).toHaveLength(before);
    offered.next([at(two)]);
    await settled();
    expect([seen.at(-1), one.observed, two.observed]).toEqual(['two', false, true]);
    two.next('three');
    // A remote reads a value again every 50 ms at most.
    await vi.waitFor(() => expect(seen.at(-1)).toBe('three'));
    stop();
    await settled();
    expect(two.observed).toBe(false);
  });

  it('waits for one that is not known yet, or removed for a while', async () => {
    const offered = new Subject<readonly ResourceDefinition[]>();
    const { seen, errors } = await follow(offered);
    offered.next([at('here')]);
    await settled();
    // The reading waited for it, so there is nothing to tell.
    expect(seen).toEqual(['here']);
    offered.next([]);
    await settled();
    offered.next([at('back')]);
    await vi.waitFor(() => expect(seen.at(-1)).toBe('back'));
    expect(errors).toEqual([]);
  });
});

const holdAll = (): boolean => true;

describe('before a live source has emitted', () => {
  const late = async (options: OfferResourcesOptions = {}) => {
    const source = new Subject<readonly ResourceDefinition[]>();
    const offer = offerResources(source, options);
    const remote = await serve(offer).connect(['modern', ['2026-07-28']]);
    const told: string[] = [];
    const follow = (): void => {
      offer.watch?.('x:fixed', { capabilities: {} }, (uri) => void told.push(uri), holdAll);
    };
    follow();
    return {
      source,
      told,
      follow,
      read: (options?: { signal: AbortSignal }) => once(resources(remote).read('x:fixed'), options),
      other: () => once(resources(remote).read('x:moving')),
    };
  };

  it('a read waits for it, so that its follower needs no notification', async () => {
    const { source, told, read } = await late();
    const reading = read();
    await settled();
    source.next([fixed]);
    expect(await reading).toMatchObject([{ text: 'value' }]);
    expect(told).toEqual([]);
  });

  it('notifies a follower when no read waits for it, or only a read of another resource', async () => {
    const { source, told, other } = await late();
    const reading = other();
    await settled();
    source.next([fixed, moving]);
    await reading;
    expect(told).toEqual(['x:fixed']);
  });

  it('notifies a follower when the read was cancelled, or another client follows it too', async () => {
    const { source, told, read, follow } = await late();
    follow();
    const cancelled = new AbortController();
    const readings = [read(), read({ signal: cancelled.signal })];
    cancelled.abort();
    await expect(readings[1]).rejects.toThrow();
    await settled();
    source.next([fixed]);
    await readings[0];
    expect(told).toEqual(['x:fixed']);
  });

  it('notifies a follower when a read timed out, or was answered as not found', async () => {
    const given = await late({ offerTimeoutMs: 20 });
    await expect(given.read()).rejects.toMatchObject({ code: -32603 });
    given.source.next([fixed]);
    expect(given.told).toEqual(['x:fixed']);
    const absent = await late();
    absent.source.next([moving]);
    await expect(absent.read()).rejects.toMatchObject({ data: { uri: 'x:fixed' } });
    absent.source.next([fixed]);
    expect(absent.told).toEqual(['x:fixed']);
  });

  it.each(['nope', `x:${'a'.repeat(70_000)}`, 'x:%zz'])('an invalid uri is not followed (%#)', (uri) => {
    const { watch } = offerResources(new Subject<readonly ResourceDefinition[]>());
    expect(() => watch?.(uri, { capabilities: {} }, () => undefined, holdAll)).toThrow(
      expect.objectContaining({ code: 'INVALID_PARAMS' }),
    );
    expect(watch?.('x:a', { capabilities: {} }, () => undefined, holdAll)).toBeTypeOf('function');
  });
});
