import { AsyncLocalStorage } from 'node:async_hooks';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { MemoryBudget } from '../../src/index.js';
import { loopTurns, ParseTurns } from '../../src/internal.js';
import { turn, workTime } from '../work-time.js';

const mebibyte = 1024 * 1024;
/** A text that is charged 12 MiB. */
const dense = JSON.stringify(Array.from({ length: 190_000 }, () => ({})));
const long = JSON.stringify('x'.repeat(mebibyte));

test('large bodies that arrive together are parsed in turns of 10 ms, and a short one waits no longer than the others', async () => {
  const pass = await workTime();
  const memory = new MemoryBudget({ maxBytes: 1_024 * mebibyte });
  const turns = new ParseTurns(memory);
  const done: string[] = [];
  const run = (text: string, name: string, ms: number) =>
    turns.run(text, 'ada', () => {
      pass(ms);
      done.push(name);
    });
  for (const at of [1, 2, 3, 4, 5]) expect(run(long, String(at), 5)).toBe(true);
  expect(run('{}', 'short', 0)).toBe(true);
  expect(done).toEqual(['1', '2']);
  expect(memory.heldBytes).toBeGreaterThan(6 * mebibyte);
  await turn();
  expect(done).toEqual(['1', '2', '3', '4']);
  await turn();
  expect(done).toEqual(['1', '2', '3', '4', '5', 'short']);
  expect(memory.heldBytes).toBe(0);
});

test('those who wait are served one after the other, each in its order', async () => {
  const pass = await workTime();
  const done: string[] = [];
  const run = (holder: string, name: string): void =>
    loopTurns.run(holder, () => {
      pass(10);
      done.push(name);
    });
  for (const name of ['a1', 'a2', 'a3']) run('ada', name);
  run('bob', 'b1');
  while (done.length < 4) await turn();
  expect(done).toEqual(['a1', 'a2', 'b1', 'a3']);
});

test('a short body waits where the turn is over, and is charged', async () => {
  const pass = await workTime();
  const memory = new MemoryBudget({ maxBytes: mebibyte });
  const turns = new ParseTurns(memory);
  const done = vi.fn();
  loopTurns.run('bob', () => pass(10));
  expect(turns.run('{}', 'ada', done)).toBe(true);
  expect(done).not.toHaveBeenCalled();
  expect(memory.heldBytes).toBeGreaterThan(0);
  await turn();
  expect(done).toHaveBeenCalledTimes(1);
  expect(memory.heldBytes).toBe(0);
});

test('short bodies of one turn wait once it is over', async () => {
  const pass = await workTime();
  const turns = new ParseTurns(new MemoryBudget({ maxBytes: mebibyte }));
  const done = vi.fn(() => pass(1));
  for (let count = 0; count < 25; count += 1) expect(turns.run('{}', 'ada', done)).toBe(true);
  expect(done).toHaveBeenCalledTimes(10);
  await turn();
  expect(done).toHaveBeenCalledTimes(20);
  await turn();
  expect(done).toHaveBeenCalledTimes(25);
});

/** Does the work of 15 short bodies, each of which comes in its own turn of the event loop. */
async function doneOneByOne(ms: number): Promise<number> {
  const pass = await workTime();
  const turns = new ParseTurns(new MemoryBudget({ maxBytes: mebibyte }));
  const done = vi.fn(() => pass(ms));
  for (let count = 0; count < 15; count += 1) {
    expect(turns.run('{}', 'ada', done)).toBe(true);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const before = done.mock.calls.length;
  while (done.mock.calls.length < 15) await turn();
  await turn();
  return before;
}

test('short bodies whose work takes long wait, although each comes in its own turn of the event loop', async () => {
  expect(await doneOneByOne(4)).toBe(3);
});

test('short bodies whose work is short never wait where each comes in its own turn of the event loop', async () => {
  expect(await doneOneByOne(0.9)).toBe(15);
});

test('work that waits keeps its async context, and work that throws delays none', async () => {
  const pass = await workTime();
  const caught: unknown[] = [];
  const catches = (error: unknown): void => void caught.push(error);
  process.on('uncaughtException', catches);
  onTestFinished(() => void process.off('uncaughtException', catches));
  const storage = new AsyncLocalStorage<string>();
  const seen: unknown[] = [];
  loopTurns.run('ada', () => pass(40));
  storage.run('ada', () =>
    loopTurns.run('ada', () => {
      throw new Error('of ada');
    }),
  );
  storage.run('bob', () => loopTurns.run('bob', () => seen.push(storage.getStore())));
  await vi.waitFor(() => expect(seen).toEqual(['bob']));
  expect(caught).toMatchObject([{ message: 'of ada' }]);
});

test('bodies leave no charge behind, after any sequence', async () => {
  const step = fc.tuple(fc.constantFrom('ada', 'bob'), fc.constantFrom(dense, long, '{}'), fc.boolean());
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const memory = new MemoryBudget({ maxBytes: 64 * mebibyte });
      const turns = new ParseTurns(memory);
      const [taken, done] = [vi.fn(), vi.fn()];
      for (const [holder, text, waits] of steps) {
        if (turns.run(text, holder, done)) taken();
        if (waits) await turn();
      }
      for (let at = 0; at <= steps.length; at += 1) await turn();
      expect(done).toHaveBeenCalledTimes(taken.mock.calls.length);
      expect(memory.heldBytes).toBe(0);
    }),
    { numRuns: 20 },
  );
});
