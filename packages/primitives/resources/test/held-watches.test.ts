import { defineServer, once } from '@rxmcp/core';
import { BehaviorSubject, type Observable, Subject } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { offerResources, resource, type ResourceValue, resources, template } from '../src/index.js';
import { serve } from './fixture.js';

const text = 'x'.repeat(10_000);
const caller = { capabilities: {}, principal: 'ada' };

/** Watches a template that makes a source for each URI, with an account of what each watch holds. */
function watching({ shared = false, maxBytes = Infinity } = {}) {
  const made: Subject<ResourceValue>[] = [];
  const read = (): Observable<ResourceValue> => {
    const source = new BehaviorSubject<ResourceValue>(text);
    made.push(source);
    return source;
  };
  const offer = offerResources([template('t:/{name}', { shared }, read)]);
  const held: number[] = [];
  let changes = 0;
  const watch = (uri: string): (() => void) => {
    const index = held.push(0) - 1;
    const hold = (bytes: number): boolean => {
      if (bytes > maxBytes) return false;
      held[index] = bytes;
      return true;
    };
    return offer.watch?.(uri, caller, () => (changes += 1), hold) ?? (() => undefined);
  };
  return { offer, made, held, watch, changes: () => changes };
}

describe('the value that a watch of a template keeps', () => {
  it('is charged, one value after the other, until the watch ends', () => {
    const { made, held, watch } = watching();
    const end = watch('t:/a');
    const first = held[0] ?? 0;
    expect(first).toBeGreaterThanOrEqual(2 * text.length);
    made[0]?.next(text + text);
    expect(held[0]).toBe(first + 2 * text.length);
    made[0]?.next([{ uri: 't:/a', blob: new Uint8Array(50_000) }]);
    expect(held[0]).toBeGreaterThanOrEqual(50_000);
    made[0]?.next('');
    expect(held[0]).toBeLessThan(100);
    end();
    expect(held).toEqual([0]);
  });

  it('is charged to one of those that share it, and to another one when it leaves', () => {
    const { held, made, watch } = watching({ shared: true });
    const [first, second] = [watch('t:/a'), watch('t:/a')];
    const [bytes] = held;
    expect(held).toEqual([bytes, 0]);
    first();
    expect(held).toEqual([0, bytes]);
    second();
    expect([held, made.length]).toEqual([[0, 0], 1]);
  });

  it('is not kept where it is too much: its changes are announced, and each read has a run of its own', async () => {
    const { offer, made, held, watch, changes } = watching({ maxBytes: text.length });
    const end = watch('t:/a');
    expect([held, changes()]).toEqual([[0], 0]);
    made[0]?.next('short');
    made[0]?.next(text);
    expect([held, changes()]).toEqual([[0], 2]);
    const remote = await serve(offer).connect(['modern', ['2026-07-28']], 'ada');
    expect(await once(resources(remote).read('t:/a'))).toMatchObject([{ text }]);
    expect(made).toHaveLength(2);
    end();
    expect(made.filter(({ observed }) => observed)).toEqual([]);
  });

  it('that contains itself is measured as well, and not kept', () => {
    const { made, held, watch, changes } = watching({ maxBytes: 100_000 });
    watch('t:/a');
    const parent: Record<string, unknown> = { text };
    parent['children'] = [{ parent }];
    made[0]?.next(parent as never);
    expect([held, changes()]).toEqual([[0], 1]);
    made[0]?.next([parent, [parent]] as never);
    expect(changes()).toBe(2);
  });

  it('is shared with reads where it is kept', async () => {
    const { offer, made, watch } = watching();
    watch('t:/a');
    const remote = await serve(offer).connect(['modern', ['2026-07-28']], 'ada');
    made[0]?.next('new');
    expect(await once(resources(remote).read('t:/a'))).toMatchObject([{ text: 'new' }]);
    expect(made).toHaveLength(1);
  });
});

it('a server charges the caller for what its watches keep', async () => {
  const budget = defineServer({ info: { name: 'any', version: '1' }, offers: [] }).memory;
  const value = new BehaviorSubject<ResourceValue>(text);
  const offer = offerResources([template('t:/{name}', {}, () => value)]);
  const remote = await serve(offer).connect(['modern', ['2026-07-28']], 'ada');
  const opened = budget.heldBytes;
  const asked = ['t:/a', 't:/b', 't:/c'].map((uri) => resources(remote).watch(uri).subscribe());
  const held = () => budget.heldBytes - opened;
  // The client keeps each value as well.
  await vi.waitUntil(() => held() >= 12 * text.length);
  for (const watch of asked) watch.unsubscribe();
  await vi.waitUntil(() => held() < text.length);
  await remote.close();
  expect(held()).toBeLessThanOrEqual(0);
});

it('a watch of a template with changes keeps no value', () => {
  const run = vi.fn(() => 'text');
  const changes = new Subject<void>();
  const offer = offerResources([template('t:/{name}', { changes: () => changes }, run)]);
  const changed = vi.fn();
  const hold = vi.fn(() => true);
  const end = offer.watch?.('t:/a', caller, changed, hold);
  changes.next();
  end?.();
  expect([changed.mock.calls, run.mock.calls, hold.mock.calls]).toEqual([[['t:/a']], [], []]);
  expect(changes.observed).toBe(false);
});

it('another function at the same URI is a change, since no later value shows it', () => {
  const offered = new BehaviorSubject([resource('x:a', {}, () => 'one')]);
  const offer = offerResources(offered);
  // Starts the list.
  offer.start?.({ changed: () => undefined, fault: () => undefined });
  const changed = vi.fn();
  const end = offer.watch?.('x:a', caller, changed, () => true);
  offered.next([resource('x:a', {}, () => 'two')]);
  expect(changed).toHaveBeenCalledTimes(1);
  end?.();
});
