import { once } from '@rxmcp/core';
import { defer, type Observable, Subject, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { offerResources, resource, resources } from '../src/index.js';
import { type Era, eras, serve, settled } from './fixture.js';

describe.each(eras)('a function that returns an Observable, %s %j', (...era: Era) => {
  it('serves later subscribers when the one it was run for leaves', async () => {
    const values = new Subject<string>();
    const signals: AbortSignal[] = [];
    const offer = offerResources([
      resource('x:a', {}, (_, ctx) => {
        signals.push(ctx.signal);
        return values;
      }),
    ]);
    const { connect } = serve(offer);
    const [one, two] = [await connect(era), await connect(era)];
    const leaving = resources(one).read('x:a').subscribe();
    await settled();
    const staying = once(resources(two).read('x:a'));
    await settled();
    leaving.unsubscribe();
    await settled();
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    values.next('late');
    expect(await staying).toMatchObject([{ text: 'late' }]);
    expect([signals.length, signals[0]!.aborted, values.observed]).toEqual([1, true, false]);
  });

  it('is run again after it failed, also while a client follows it', async () => {
    let runs = 0;
    const values = new Subject<string>();
    const source = (): Observable<string> =>
      defer(() => ((runs += 1) === 1 ? throwError(() => new Error('not yet')) : values));
    const { connect, faults } = serve(offerResources([resource('x:a', {}, source)]));
    const remote = await connect(era);
    const other = await connect(era);
    const stop = resources(other)
      .watch('x:a')
      .subscribe({ error: () => undefined });
    await settled();
    expect(faults.map(({ code }) => code)).toContain('RESOURCE_FAILED');
    const reading = once(resources(remote).read('x:a'));
    await settled();
    values.next('now');
    expect(await reading).toMatchObject([{ text: 'now' }]);
    stop.unsubscribe();
    await settled();
    expect(values.observed).toBe(false);
  });

  it('waits for each reader as long as its timeout', async () => {
    const values = new Subject<string>();
    const offer = offerResources([resource('x:a', { readTimeoutMs: 60 }, () => values)]);
    const { connect } = serve(offer);
    const remote = await connect(era);
    const first = once(resources(remote).read('x:a')).catch((error: unknown) => error);
    await new Promise((resolve) => setTimeout(resolve, 40));
    const second = once(resources(remote).read('x:a'));
    expect(await first).toMatchObject({ message: 'resource "x:a" returned no value within 60 ms' });
    values.next('just in time');
    expect(await second).toMatchObject([{ text: 'just in time' }]);
    expect(values.observed).toBe(false);
  });
});
