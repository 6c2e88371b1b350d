import { concat, finalize, NEVER, of, throwError } from 'rxjs';
import { expect, it } from 'vitest';
import { log, progress } from '../../src/contract/items.js';
import type { Output } from '../../src/contract/offer.js';
import { later } from '../../src/output/map-output.js';
import { settle } from '../../src/output/settle.js';

function run(output: Output<unknown>) {
  const seen: unknown[] = [];
  const stop = settle(output, {
    done: (value) => void seen.push(['done', value]),
    failed: (error) => void seen.push(['failed', error]),
    empty: () => void seen.push('empty'),
    report: () => void seen.push('report'),
  });
  return { seen, stop };
}

const tick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

it.each<[string, () => Output<unknown>, unknown[]]>([
  ['a value', () => 1, [['done', 1]]],
  ['a promise', () => Promise.resolve(1), [['done', 1]]],
  [
    'an observable',
    () => concat(of(progress(1), log('info', '')), of(1, 2)),
    ['report', 'report', ['done', 1]],
  ],
  ['nothing', () => of(), ['empty']],
  ['an error', () => throwError(() => 'no'), [['failed', 'no']]],
  [
    'a throw',
    () => {
      throw 'no';
    },
    [['failed', 'no']],
  ],
])('brings %s to its end', async (_, next, expected) => {
  const { seen } = run(later(Promise.resolve(), next));
  await tick();
  expect(seen).toEqual(expected);
});

it('fails when its promise fails', async () => {
  const { seen } = run(later(Promise.reject(new Error('never ready')), () => 1));
  await tick();
  expect(seen).toEqual([['failed', new Error('never ready')]]);
});

it('does not begin after its tear-down', async () => {
  let begun = false;
  const { seen, stop } = run(later(Promise.resolve(), () => (begun = true)));
  stop();
  await tick();
  expect([begun, seen]).toEqual([false, []]);
});

it('tears down the work that has begun', async () => {
  let ended = false;
  const source = NEVER.pipe(finalize(() => (ended = true)));
  const { stop } = run(later(Promise.resolve(), () => source));
  await tick();
  stop();
  expect(ended).toBe(true);
  run(later(Promise.resolve(), () => NEVER)).stop();
});
