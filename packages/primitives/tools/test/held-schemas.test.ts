import { memory } from '@rxmcp/memory';
import { connectedPair } from '@rxmcp/testing';
import { defineServer, once } from '@rxmcp/core';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { offerTools, tool, tools } from '../src/index.js';
import { schema } from './schemas.js';

/** The budget of the process. */
const budget = defineServer({ info: { name: 'any', version: '1' }, offers: [] }).memory;
const names = ['one', 'two', 'three'];
const title = 'x'.repeat(10_000);
const offered = names.map((name) => tool(name, { output: { type: 'number', title } }, () => 0 as never));
const validator = () => schema<unknown>({ check: (value) => value });

it('what a validator makes of output schemas is charged until the next list or the end, after any sequence', async () => {
  const step = fc.constantFrom(...names, 'list');
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      const before = budget.heldBytes;
      const { remote } = await connectedPair({
        server: [offerTools(offered)],
        version: '2026-07-28',
        link: memory(),
        onCleanup: onTestFinished,
      });
      const opened = budget.heldBytes;
      const use = tools(remote, { validator });
      await once(use.list());
      const listed = budget.heldBytes;
      expect(listed - opened).toBeGreaterThan(3 * 2 * title.length);
      const used = new Set<string>();
      for (const one of steps) {
        if (one === 'list') used.clear();
        else used.add(one);
        await once(one === 'list' ? use.list() : (use.call(one) as never));
        const made = (budget.heldBytes - listed) / (5 * 2 * title.length);
        expect(Math.floor(made)).toBe(used.size);
      }
      await remote.close();
      expect(budget.heldBytes).toBeLessThanOrEqual(opened);
      expect(before).toBeLessThanOrEqual(opened);
    }),
    { numRuns: 30 },
  );
});

it('a call is not sent where the memory does not suffice for what a validator makes of its output schema', async () => {
  let calls = 0;
  const { remote } = await connectedPair({
    server: [
      offerTools([
        tool('one', { output: { type: 'number', title: title + title } }, () => (calls += 1) as never),
      ]),
    ],
    version: '2026-07-28',
    link: memory(),
    onCleanup: onTestFinished,
  });
  const use = tools(remote, { validator });
  await once(use.list());
  // The last eighth is for small charges.
  const bytes = Math.floor(((7 / 8) * budget.maxBytes - budget.heldBytes) / 2) - 1_000;
  const holders = ['principal one', 'principal two'];
  for (const holder of holders) expect(budget.tryCharge(holder, bytes)).toBe(true);
  onTestFinished(() => holders.forEach((holder) => budget.release(holder, bytes)));
  await expect(once(use.call('one') as never)).rejects.toMatchObject({
    code: 'OVERFLOW',
    outcome: 'not-sent',
  });
  expect(calls).toBe(0);
});
