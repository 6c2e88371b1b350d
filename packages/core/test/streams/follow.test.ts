import { defer, type Observable, of, Subject, take } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { callStream, failedCall, following, mapped, recovering, shared } from '../../src/internal.js';

/** Subscribes and keeps what is emitted. */
function seen<T>(source: Observable<T>) {
  const events: unknown[] = [];
  const subscription = source.subscribe({
    next: (value) => events.push(value),
    error: (error: unknown) => events.push({ error }),
    complete: () => events.push('complete'),
  });
  return { events, subscription };
}

describe('following', () => {
  const after = (first: () => Observable<string> | undefined, next: Observable<number>) =>
    callStream(following(first, () => next));

  it('starts the next call with the value of the first one, and cancels both', () => {
    const [first, next] = [new Subject<string>(), new Subject<number>()];
    const { events, subscription } = seen(after(() => first, next));
    expect([first.observed, next.observed]).toEqual([true, false]);
    first.next('listed');
    next.next(1);
    expect(events).toEqual([1]);
    subscription.unsubscribe();
    expect([first.observed, next.observed]).toEqual([false, false]);
  });

  it('fails with the error of the first call, and starts at once without one', () => {
    const first = new Subject<string>();
    const next = new Subject<number>();
    const { events } = seen(after(() => first, next));
    first.error('no list');
    expect([events, next.observed]).toEqual([[{ error: 'no list' }], false]);
    seen(after(() => undefined, next));
    expect(next.observed).toBe(true);
  });
});

describe('mapped', () => {
  it('changes values, passes on the end, and fails with what the function throws', () => {
    const source = new Subject<number>();
    const { events } = seen(
      mapped(source, (value) => {
        if (value > 2) throw new Error('too large');
        return value * 2;
      }),
    );
    const whole = seen(mapped(source, String));
    for (const value of [1, 2, 3, 4]) source.next(value);
    source.complete();
    expect(events).toEqual([2, 4, { error: new Error('too large') }]);
    expect(whole.events).toEqual(['1', '2', '3', '4', 'complete']);
  });

  it('calls the function no more once its subscriber has left', () => {
    const changed: number[] = [];
    mapped(of(1, 2), (value) => changed.push(value))
      .pipe(take(1))
      .subscribe();
    expect(changed).toEqual([1]);
  });
});

describe('recovering', () => {
  it('continues with another stream, or fails with the same error', () => {
    const [source, instead] = [new Subject<number>(), new Subject<number>()];
    const call = callStream(recovering(source, (error) => (error === 'stale' ? instead : undefined)));
    const first = seen(call);
    source.next(1);
    source.error('stale');
    instead.next(2);
    expect([first.events, instead.observed]).toEqual([[1, 2], true]);
    first.subscription.unsubscribe();
    expect(instead.observed).toBe(false);

    const other = new Subject<number>();
    const failed = seen(callStream(recovering(other, () => undefined)));
    other.error('lost');
    expect(failed.events).toEqual([{ error: 'lost' }]);
  });

  it('passes on the end, and leaves the source', () => {
    const [ended, left] = [new Subject<number>(), new Subject<number>()];
    const { events } = seen(callStream(recovering(ended, () => undefined)));
    ended.complete();
    expect(events).toEqual(['complete']);
    seen(callStream(recovering(left, () => undefined))).subscription.unsubscribe();
    expect(left.observed).toBe(false);
  });
});

describe('shared', () => {
  function counted() {
    const sources: Subject<number>[] = [];
    const source = defer(() => {
      const made = new Subject<number>();
      sources.push(made);
      return made;
    });
    return { sources, stream: shared(source) };
  }

  it('subscribes once for all, and leaves with the last of them', () => {
    const { sources, stream } = counted();
    const [a, b] = [seen(stream), seen(stream)];
    sources[0]?.next(1);
    a.subscription.unsubscribe();
    expect([sources.length, sources[0]?.observed]).toEqual([1, true]);
    sources[0]?.next(2);
    b.subscription.unsubscribe();
    expect([a.events, b.events, sources[0]?.observed]).toEqual([[1], [1, 2], false]);
  });

  it.each([
    ['complete', (source: Subject<number> | undefined) => source?.complete(), 'complete'],
    ['an error', (source: Subject<number> | undefined) => source?.error('no'), { error: 'no' }],
  ])('gives %s to all, and starts again for the next', (_end, end, event) => {
    const { sources, stream } = counted();
    const all = [seen(stream), seen(stream)];
    end(sources[0]);
    expect(all.map(({ events }) => events)).toEqual([[event], [event]]);
    const next = seen(stream);
    sources[1]?.next(1);
    expect([sources.length, next.events]).toEqual([2, [1]]);
    next.subscription.unsubscribe();
    expect(sources[1]?.observed).toBe(false);
  });
});

describe('failedCall', () => {
  it('fails after subscribe has returned, unless it is left before', async () => {
    const call = failedCall('no');
    const { events } = seen(call);
    const left = seen(call);
    left.subscription.unsubscribe();
    expect(events).toEqual([]);
    await Promise.resolve();
    expect([events, left.events]).toEqual([[{ error: 'no' }], []]);
  });
});
