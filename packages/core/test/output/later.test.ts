import { concat, finalize, NEVER, of, throwError } from 'rxjs';
import { expect, it } from 'vitest';
import { logItem, progressItem } from '../../src/contract/report-items.js';
import type { HandlerResult } from '../../src/contract/offer.js';
import { deferResult } from '../../src/output/map-handler-result.js';
import { settleResult } from '../../src/output/settle.js';

function run(output: HandlerResult<unknown>) {
  const seen: unknown[] = [];
  const stop = settleResult(output, {
    done: (value) => void seen.push(['done', value]),
    failed: (error) => void seen.push(['failed', error]),
    empty: () => void seen.push('empty'),
    report: () => void seen.push('report'),
  });
  return { seen, stop };
}

const tick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

it.each<[string, () => HandlerResult<unknown>, unknown[]]>([
  ['a value', () => 1, [['done', 1]]],
  ['a promise', () => Promise.resolve(1), [['done', 1]]],
  [
    'an observable',
    () => concat(of(progressItem(1), logItem('info', '')), of(1, 2)),
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
  const { seen } = run(deferResult(Promise.resolve(), next));
  await tick();
  expect(seen).toEqual(expected);
});

it('fails when its promise fails', async () => {
  const { seen } = run(deferResult(Promise.reject(new Error('never ready')), () => 1));
  await tick();
  expect(seen).toEqual([['failed', new Error('never ready')]]);
});

it('does not begin after its tear-down', async () => {
  let begun = false;
  const { seen, stop } = run(deferResult(Promise.resolve(), () => (begun = true)));
  stop();
  await tick();
  expect([begun, seen]).toEqual([false, []]);
});

it('tears down the work that has begun', async () => {
  let ended = false;
  const source = NEVER.pipe(finalize(() => (ended = true)));
  const { stop } = run(deferResult(Promise.resolve(), () => source));
  await tick();
  stop();
  expect(ended).toBe(true);
  run(deferResult(Promise.resolve(), () => NEVER)).stop();
});
