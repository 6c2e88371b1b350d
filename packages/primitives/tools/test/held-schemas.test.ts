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
