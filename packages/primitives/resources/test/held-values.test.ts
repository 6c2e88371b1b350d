import { defineServer } from '@rxmcp/core';
import { BehaviorSubject } from 'rxjs';
import { expect, it, vi } from 'vitest';
import { offerResources, resource, resources } from '../src/index.js';
import { serve } from './fixture.js';

/** The budget of the process. */
const budget = defineServer({ info: { name: 'any', version: '1' }, offers: [] }).memory;

it('the latest value of a watched resource is charged until nothing watches it, or the end', async () => {
  const value = new BehaviorSubject('x'.repeat(10_000));
  const remote = await serve(offerResources([resource('x:a', {}, value)])).connect([
    'modern',
    ['2026-07-28'],
  ]);
  const opened = budget.heldBytes;
  const texts: unknown[] = [];
  const watch = () =>
    resources(remote)
      .watch('x:a')
      .subscribe((contents) => void texts.push(contents));
  const first = watch();
  await vi.waitUntil(() => texts.length === 1);
  const short = budget.heldBytes - opened;
  expect(short).toBeGreaterThan(20_000);
  value.next('x'.repeat(30_000));
  await vi.waitUntil(() => texts.length === 2);
  await vi.waitUntil(() => budget.heldBytes - opened > short + 30_000);
  first.unsubscribe();
  // A macrotask later, since another subscriber may come.
  await vi.waitUntil(() => budget.heldBytes - opened < short);
  const again = watch();
  await vi.waitUntil(() => texts.length === 3);
  await remote.close();
  again.unsubscribe();
  expect(budget.heldBytes).toBeLessThanOrEqual(opened);
});
