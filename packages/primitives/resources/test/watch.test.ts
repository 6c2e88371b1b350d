import { type Context, once, type Remote } from '@rxmcp/core';
import { BehaviorSubject, defer, finalize, type Observable, Subject, throwError } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { offerResources, resource, resources, template } from '../src/index.js';
import { cutReads } from './cut-reads.js';
import { type Era, eras, serve, settled } from './fixture.js';

/** The texts that a watcher sees. */
function watchTexts(remote: Remote, uri: string) {
  const seen: (string | undefined)[] = [];
  const errors: unknown[] = [];
  const watched = resources(remote).watch(uri);
  const subscription = watched.subscribe({
    next: ([first]) => void seen.push(first !== undefined && 'text' in first ? first.text : undefined),
    error: (error: unknown) => void errors.push(error),
  });
  return { seen, errors, live: watched.isLive, stop: () => subscription.unsubscribe() };
}

/** Watches a value that is served, some of whose reads are cut, and waits until its first one was seen. */
async function watchWhile(cut: ReturnType<typeof cutReads>, value: Observable<string>, era: Era) {
  const server = serve(offerResources([resource('x:a', {}, value)]));
  const watcher = watchTexts(await server.connect(era, undefined, [], cut.options), 'x:a');
  await vi.waitFor(() => expect(watcher.seen).toContain('one'));
  return watcher;
}

/** An Observable that counts its subscriptions. */
function counted<T>(source: Observable<T>) {
  const count = { begun: 0, ended: 0 };
  const stream = defer(() => {
    count.begun += 1;
    return source;
  }).pipe(finalize(() => void (count.ended += 1)));
  return Object.assign(count, { stream });
}

describe.each(eras)('following, %s %j', (...era: Era) => {
  it.each(['CONNECTION_LOST', 'DIAL_FAILED'] as const)('reads again after %s of a read', async (code) => {
    const value = new BehaviorSubject('one');
    const cut = cutReads((read) => read === 2 || read === 3, { code });
    const watcher = await watchWhile(cut, value, era);
    value.next('two');
    await vi.waitFor(() => expect(watcher.seen.at(-1)).toBe('two'), 10_000);
    expect(watcher.errors).toEqual([]);
  });

  it('does not wait for the next read after a change', async () => {
    const value = new BehaviorSubject('one');
    let isCutting = false;
    const cut = cutReads(() => isCutting, { wait: 1_000 });
    const watcher = await watchWhile(cut, value, era);
    await settled();
    isCutting = true;
    const before = cut.count.reads;
    value.next('two');
    await vi.waitFor(() => expect(cut.count.reads).toBe(before + 1));
    await settled();
    isCutting = false;
    value.next('three');
    await vi.waitFor(() => expect(watcher.seen.at(-1)).toBe('three'), 10_000);
    expect(watcher.errors).toEqual([]);
  });

  it('ends when the eleventh read in a row is cut', async () => {
    const cut = cutReads((read) => read > 1);
    const value = new BehaviorSubject('one');
    const watcher = await watchWhile(cut, value, era);
    const before = cut.count.reads;
    value.next('two');
    await vi.waitFor(() => expect(watcher.errors).toHaveLength(1), 10_000);
    expect(watcher.errors[0]).toMatchObject({ code: 'CONNECTION_LOST' });
    expect(cut.count.reads).toBe(before > 1 ? 12 : before + 11);
  });

  it('shows each value of an Observable, the latest of many', async () => {
    const value = new BehaviorSubject('one');
    const remote = await serve(offerResources([resource('x:a', {}, value)])).connect(era);
    const watcher = watchTexts(remote, 'x:a');
    await settled();
    value.next('two');
    await settled();
    for (let at = 0; at < 100; at += 1) value.next(`burst ${at}`);
    // A remote reads a value again every 50 ms at most.
    await vi.waitFor(() => expect(watcher.seen.at(-1)).toBe('burst 99'));
    expect(watcher.live).toBe(true);
    expect(watcher.seen.filter((text, at) => text !== watcher.seen[at - 1])).toEqual([
      'one',
      'two',
      'burst 99',
    ]);
  });

  it('ends the run of a source whose value cannot be followed', async () => {
    const signals: AbortSignal[] = [];
    const source = (_vars: object, { signal }: Context): string => {
      signals.push(signal);
      return 'one';
    };
    const remote = await serve(offerResources([resource('x:a', {}, source)])).connect(era);
    const { seen } = watchTexts(remote, 'x:a');
    await settled();
    expect(seen).toEqual(['one']);
    // The run of the subscription has ended, and that of the read has returned.
    expect(signals.map(({ aborted }) => aborted).sort()).toEqual([false, true]);
  });

  it('subscribes once however many clients follow and read, and ends with the last', async () => {
    const value = new BehaviorSubject('one');
    const source = counted(value);
    const { connect } = serve(offerResources([resource('x:a', {}, source.stream)]));
    const remotes = [await connect(era), await connect(era, 'ann'), await connect(era, 'bob')];
    const watchers = [...remotes, ...remotes].map((remote) => watchTexts(remote, 'x:a'));
    await settled();
    value.next('two');
    await settled();
    for (const remote of remotes)
      expect(await once(resources(remote).read('x:a'))).toMatchObject([{ text: 'two' }]);
    for (const { seen } of watchers) expect(seen.at(-1)).toBe('two');
    for (const { stop } of watchers.slice(1)) stop();
    await settled();
    expect([source.begun, source.ended]).toEqual([1, 0]);
    watchers[0]!.stop();
    await settled();
    expect([source.begun, source.ended]).toEqual([1, 1]);
    expect(value.observed).toBe(false);
  });

  it('never shows one principal the value of another', async () => {
    const values = new Map([
      ['ann', new BehaviorSubject('for ann')],
      ['bob', new BehaviorSubject('for bob')],
    ]);
    let runs = 0;
    const mine = (_: unknown, ctx: { caller: { principal?: string | undefined } }): Observable<string> => {
      runs += 1;
      return values.get(ctx.caller.principal ?? '') ?? new BehaviorSubject('for anonymous');
    };
    const { connect } = serve(offerResources([resource('x:me', {}, mine), template('t:/{v}', {}, mine)]));
    const remotes = [
      await connect(era, 'ann'),
      await connect(era, 'bob'),
      await connect(era),
      await connect(era, 'ann'),
    ];
    for (const uri of ['x:me', 't:/a']) {
      runs = 0;
      const watchers = remotes.map((remote) => watchTexts(remote, uri));
      await settled();
      const read = await Promise.all(remotes.map((remote) => once(resources(remote).read(uri))));
      expect(read.map(([first]) => first)).toMatchObject(
        ['for ann', 'for bob', 'for anonymous', 'for ann'].map((text) => ({ text })),
      );
      expect(runs).toBe(3);
      const told = watchers.map(({ seen }) => seen.length);
      values.get('ann')!.next('for ann still');
      await settled();
      expect(watchers.map(({ seen }) => seen.at(-1))).toEqual([
        'for ann still',
        'for bob',
        'for anonymous',
        'for ann still',
      ]);
      // Bob does not even receive that something changed.
      expect(watchers[1]!.seen).toHaveLength(told[1]!);
      for (const { stop } of watchers) stop();
      await settled();
      values.get('ann')!.next('for ann');
    }
    for (const value of values.values()) expect(value.observed).toBe(false);
  });

  it('sends all principals one value where the author sets it, and shows it no caller', async () => {
    let runs = 0;
    const offer = offerResources([
      resource('x:all', { shared: true }, (_, ctx) => {
        runs += 1;
        return new BehaviorSubject(`for ${ctx.caller.principal ?? 'everybody'}`);
      }),
    ]);
    const { connect } = serve(offer);
    const watchers = [await connect(era, 'ann'), await connect(era, 'bob')].map((remote) =>
      watchTexts(remote, 'x:all'),
    );
    await settled();
    expect(watchers.map(({ seen }) => seen.at(-1))).toEqual(['for everybody', 'for everybody']);
    expect(runs).toBe(1);
  });

  it('follows what reports changes, for values that do not', async () => {
    const pushes = new Subject<unknown>();
    const source = counted(pushes);
    const asked: unknown[] = [];
    let text = 'one';
    let runs = 0;
    const offer = offerResources([
      resource('x:file', { changes: source.stream }, () => {
        runs += 1;
        return text;
      }),
      template(
        't:/{v}',
        {
          changes: ({ v }, caller) => {
            asked.push([v, caller.principal]);
            return source.stream;
          },
        },
        () => text,
      ),
    ]);
    const { connect } = serve(offer);
    const one = watchTexts(await connect(era, 'ann'), 'x:file');
    const two = watchTexts(await connect(era, 'bob'), 'x:file');
    const three = watchTexts(await connect(era, 'bob'), 't:/a');
    await settled();
    text = 'two';
    pushes.next(undefined);
    await settled();
    expect([one.seen.at(-1), two.seen.at(-1), three.seen.at(-1)]).toEqual(['two', 'two', 'two']);
    expect(asked).toEqual([['a', 'bob']]);
    expect([source.begun, runs]).toEqual([1, one.seen.length + two.seen.length]);
    for (const { stop } of [one, two, three]) stop();
    await settled();
    expect(source.ended).toBe(1);
  });

  it('is legal for a value that never changes', async () => {
    const offer = offerResources([resource('x:a', {}, 'fixed'), resource('x:b', {}, () => 'made')], {
      subscribe: true,
    });
    const remote = await serve(offer).connect(era);
    const watchers = ['x:a', 'x:b'].map((uri) => watchTexts(remote, uri));
    await settled();
    expect(watchers.map(({ seen, errors }) => [new Set(seen), errors])).toEqual([
      [new Set(['fixed']), []],
      [new Set(['made']), []],
    ]);
  });

  it('rejects an unknown uri, and a uri that the source rejects', async () => {
    const offer = offerResources([
      resource('x:live', {}, new BehaviorSubject('a')),
      template('t:/{v}', { changes: () => throwError(() => new Error('unused')) }, () => null),
    ]);
    const { connect, faults } = serve(offer);
    const remote = await connect(era);
    const missing = watchTexts(remote, 'x:gone');
    const bad = watchTexts(remote, 'no uri');
    await settled();
    expect(bad.errors).toMatchObject([{ code: 'INVALID_PARAMS' }]);
    expect(missing.errors).toHaveLength(1);
    expect(missing.seen).toEqual([]);
    const broken = watchTexts(remote, 't:/a');
    await settled();
    expect(broken.errors).toHaveLength(1);
    expect(faults).toContainEqual(expect.objectContaining({ code: 'RESOURCE_FAILED' }));
  });

  it('keeps the last value of a source that ends or fails while it is followed', async () => {
    const value = new Subject<string>();
    const source = counted(value);
    const { connect, faults } = serve(offerResources([resource('x:a', {}, source.stream)]));
    const remote = await connect(era);
    const watcher = watchTexts(remote, 'x:a');
    await settled();
    value.next('last');
    await settled();
    value.error(new Error('broken'));
    await settled();
    expect(await once(resources(remote).read('x:a'))).toMatchObject([{ text: 'last' }]);
    expect(watcher.errors).toEqual([]);
    expect(faults).toMatchObject([{ code: 'RESOURCE_FAILED', message: 'following "x:a" failed: broken' }]);
    expect([source.begun, source.ended]).toEqual([1, 1]);
  });
});
