import { MemoryBudget } from '@rxmcp/transport';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { ParseTurns } from '../../src/server/parse-turns.js';
import { post, request, until } from './calls.js';
import { served } from './served.js';

const mebibyte = 1024 * 1024;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
/** A text that is charged 25 MiB. */
const dense = JSON.stringify(Array.from({ length: 190_000 }, () => ({})));
const long = JSON.stringify('x'.repeat(mebibyte));

describe('large bodies that arrive together', () => {
  it('are parsed in turns: a dense one has a turn for itself, short ones never wait', async () => {
    const memory = new MemoryBudget({ maxBytes: 1_024 * mebibyte });
    const turns = new ParseTurns(memory);
    const done: string[] = [];
    const run = (text: string, name: string) => turns.run(text, 'ada', () => void done.push(name));
    expect([run(dense, 'one'), run(dense, 'two'), run(dense, 'three'), run('{}', 'short')]).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(done).toEqual(['one', 'short']);
    expect(memory.heldBytes).toBeGreaterThan(48 * mebibyte);
    await turn();
    expect(done).toEqual(['one', 'short', 'two']);
    await turn();
    expect(done).toEqual(['one', 'short', 'two', 'three']);
    expect(memory.heldBytes).toBe(0);
  });

  it('of less than 8 MiB of charge share a turn', async () => {
    const turns = new ParseTurns(new MemoryBudget({ maxBytes: 1_024 * mebibyte }));
    const work = vi.fn();
    for (let at = 0; at < 7; at += 1) turns.run(long, 'ada', work);
    expect(work).toHaveBeenCalledTimes(3);
    await turn();
    expect(work).toHaveBeenCalledTimes(6);
    await turn();
    expect(work).toHaveBeenCalledTimes(7);
  });

  it('leave no charge behind, after any sequence', async () => {
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

  it('are rejected without being parsed where their caller holds too much, and others are served', async () => {
    const memory = new MemoryBudget({ maxBytes: 32 * mebibyte });
    const rig = await served(
      { authenticate: (head) => ({ principal: head.headerValues('authorization')[0] ?? '' }) },
      memory,
    );
    expect(memory.tryCharge('principal ada', 15 * mebibyte)).toBe(true);
    const parse = vi.spyOn(JSON, 'parse');
    const call = (authorization: string) =>
      rig.ask(post(request('echo', { pad: 'x'.repeat(mebibyte) }), { authorization }));
    const refused = await call('ada');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(parse.mock.calls.filter(([text]) => text.length > mebibyte)).toEqual([]);
    parse.mockRestore();
    expect(await refused.json()).toMatchObject({ error: { code: -31001 } });
    expect((await call('bob')).status).toBe(400);
    memory.release('principal ada', 15 * mebibyte);
    await until(() => memory.heldBytes === 0);
  });
});
