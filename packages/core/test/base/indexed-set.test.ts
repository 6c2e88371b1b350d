import fc from 'fast-check';
import { expect, it } from 'vitest';
import { IndexedSet } from '../../src/base/indexed-set.js';

it('has the members that a Set has', () => {
  const steps = fc.array(fc.tuple(fc.boolean(), fc.nat(5)));
  fc.assert(
    fc.property(steps, (all) => {
      const members = Array.from({ length: 6 }, (_, id) => ({ id, index: -1 }));
      const set = new IndexedSet<(typeof members)[number]>();
      const model = new Set<(typeof members)[number]>();
      for (const [adds, at] of all) {
        const member = members[at] as (typeof members)[number];
        if (adds) [set, model].forEach((one) => void one.add(member));
        else [set, model].forEach((one) => void one.delete(member));
        expect([...set.members].sort((a, b) => a.id - b.id)).toEqual([...model].sort((a, b) => a.id - b.id));
      }
    }),
  );
});

it('does not remove a member of another set', () => {
  const [one, other] = [new IndexedSet<{ index: number }>(), new IndexedSet<{ index: number }>()];
  const [mine, yours] = [{ index: -1 }, { index: -1 }];
  one.add(mine);
  other.add(yours);
  other.delete(mine);
  expect([one.members, other.members]).toEqual([[mine], [yours]]);
});
