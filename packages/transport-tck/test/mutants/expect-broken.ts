import { beforeAll, expect, test } from 'vitest';
import type { ServeFixture } from '../../src/index.js';
import { exhaustive } from '../../../../vitest.exhaustive.js';
import { rules } from '../../src/rules/index.js';
import { brokenByEach } from './broken-by.js';
import { type Broken, group } from './mutant.js';

/** One test per mutant: it breaks the rule it is named for, with that rule's message, and no rule of another group. */
export function expectBroken<M extends Broken & { readonly change: unknown }>(
  mutants: readonly M[],
  serve: (mutant: M) => ServeFixture,
): void {
  let found: Awaited<ReturnType<typeof brokenByEach<M>>>;
  beforeAll(async () => {
    found = await brokenByEach(mutants, serve);
  }, 300_000);
  for (const mutant of mutants) {
    test(`${mutant.law} is broken by a pipe that ${mutant.name}`, () => {
      expect(String(mutant.change).split('\n').length, 'lines of the change').toBeLessThanOrEqual(10);
      const broken = found.get(mutant) ?? new Map<string, string>();
      const message = broken.get(mutant.law) ?? `not broken; broken are: ${[...broken.keys()].join(', ')}`;
      expect(message).toContain(sentence(mutant.law));
      expect(message).toContain(mutant.because);
      expect(message).toMatch(/last frames:\n {4}|no frame was seen/);
      if (mutant.alone) expect([...broken.keys()], 'broken rules').toEqual([mutant.law]);
      if (mutant.everywhere || !exhaustive) return;
      const strangers = [...broken.keys()].filter((id) => group(id) !== group(mutant.law));
      expect(strangers.sort(), 'rules of other groups').toEqual([...(mutant.also ?? [])].sort());
    });
  }
}

function sentence(id: string): string {
  return `${id}: ${rules.find((law) => law.id === id)?.description ?? 'no such rule'}`;
}
