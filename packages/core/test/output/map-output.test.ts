import { concat, NEVER, of, throwError } from 'rxjs';
import { expect, it } from 'vitest';
import { progressItem } from '../../src/contract/report-items.js';
import type { HandlerResult } from '../../src/contract/offer.js';
import { mapHandlerResult } from '../../src/output/map-handler-result.js';
import { settleResult } from '../../src/output/settle.js';

async function end(output: HandlerResult<number>): Promise<unknown[]> {
  const seen: unknown[] = [];
  settleResult(
    mapHandlerResult(output, (value) => {
      if (value < 0) throw 'negative';
      return value * 2;
    }),
    {
      done: (value) => void seen.push(value),
      failed: (error) => void seen.push(['failed', error]),
      empty: () => void seen.push('empty'),
      report: () => void seen.push('report'),
    },
  );
  await new Promise((resolve) => setTimeout(resolve));
  return seen;
}

it('maps the result of every kind of output, and only that', async () => {
  expect(await end(2)).toEqual([4]);
  expect(await end(Promise.resolve(2))).toEqual([4]);
  expect(await end(concat(of(progressItem(1)), of(2, 3)))).toEqual(['report', 4]);
  expect(
    await end(
      (async function* () {
        yield progressItem(1);
        yield 2;
      })(),
    ),
  ).toEqual(['report', 4]);
  expect(await end(of())).toEqual(['empty']);
});

it('fails as the output or the mapping does', async () => {
  expect(await end(throwError(() => 'no'))).toEqual([['failed', 'no']]);
  expect(await end(Promise.reject('no'))).toEqual([['failed', 'no']]);
  expect(await end(Promise.resolve(-1))).toEqual([['failed', 'negative']]);
  expect(() => mapHandlerResult(-1, thrower)).toThrow('negative');
});

it('tears down', () => {
  let ended = false;
  const source = { subscribe: () => ({ unsubscribe: () => void (ended = true) }) };
  const nothing = () => undefined;
  const to = { done: nothing, failed: nothing, empty: nothing, report: nothing };
  settleResult(mapHandlerResult<unknown, unknown>(source, nothing), to)();
  expect(ended).toBe(true);
  settleResult(mapHandlerResult<unknown, unknown>(NEVER, nothing), to)();
});

function thrower(): never {
  throw new Error('negative');
}
