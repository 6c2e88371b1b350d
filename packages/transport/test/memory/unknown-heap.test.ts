import { expect, it, onTestFinished, vi } from 'vitest';
import type * as budgets from '../../src/memory/memory-budget.js';

it('the budget is 256 MiB where the size of the heap is not reported', async () => {
  const reported = vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined);
  onTestFinished(() => reported.mockRestore());
  // A copy of its own: the budget is made once for a process.
  const copy = '../../src/memory/memory-budget.js?unknown-heap';
  const { processMemory } = (await import(/* @vite-ignore */ copy)) as typeof budgets;
  expect(processMemory().maxBytes).toBe(256 * 1024 * 1024);
});
