import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseModel } from '../../src/index.js';

const swift = { name: 'swift-1', cost: 0.1, speed: 0.9, intelligence: 0.2 };
const deep = { name: 'deep-3-large', cost: 0.9, speed: 0.2, intelligence: 0.9, aliases: ['claude-3-sonnet'] };
const deepSmall = { name: 'deep-3-small', cost: 0.2, speed: 0.6, intelligence: 0.5, aliases: ['haiku'] };
const all = [swift, deep, deepSmall];

describe('choosing a model', () => {
  it.each([
    ['the first hint', [{ name: 'deep-3-large' }, { name: 'swift' }], 'deep-3-large'],
    ['a hint that means one, after one that means none', [{ name: 'gpt' }, { name: 'swift' }], 'swift-1'],
    ['a part of a name, whatever its case', [{ name: 'SWIFT' }], 'swift-1'],
    ['an equivalent that is longer', [{ name: 'sonnet' }], 'deep-3-large'],
    ['an equivalent that is shorter', [{ name: 'claude-3-haiku-2024' }], 'deep-3-small'],
    [
      'an equivalent of the first before the name of the second',
      [{ name: 'haiku' }, { name: 'swift' }],
      'deep-3-small',
    ],
    ['the first of all for hints that mean none', [{ name: 'gpt' }, {}, { name: ' ' }], 'swift-1'],
  ])('takes %s', (_what, hints, expected) => {
    expect(chooseModel({ hints }, all)).toBe(expected);
  });

  it.each([
    [{ costPriority: 1 }, 'swift-1'],
    [{ speedPriority: 1 }, 'swift-1'],
    [{ intelligencePriority: 1 }, 'deep-3-large'],
    [{ intelligencePriority: 1, costPriority: 0.9 }, 'deep-3-small'],
    [{}, 'swift-1'],
  ])('weighs %j', (preferences, expected) => {
    expect(chooseModel(preferences, all)).toBe(expected);
  });

  it('weighs among those that a hint means', () => {
    expect(chooseModel({ hints: [{ name: 'deep' }], speedPriority: 1 }, all)).toBe('deep-3-small');
    expect(chooseModel({ hints: [{ name: 'deep' }], intelligencePriority: 1 }, all)).toBe('deep-3-large');
  });

  it('treats a name without traits as average', () => {
    expect(chooseModel({ intelligencePriority: 1 }, ['plain', swift])).toBe('plain');
    expect(chooseModel({ intelligencePriority: 1 }, ['plain', deep])).toBe('deep-3-large');
    expect(chooseModel(undefined, ['a', 'b'])).toBe('a');
    expect(chooseModel(undefined, [])).toBeUndefined();
  });

  it('always takes one of the list', () => {
    const unit = fc.double({ min: 0, max: 1, noNaN: true });
    const traits = fc.record(
      { name: fc.string(), equals: fc.array(fc.string()), cost: unit, speed: unit, intelligence: unit },
      { requiredKeys: ['name'] },
    );
    const preferences = fc.record(
      {
        hints: fc.array(fc.record({ name: fc.string() }, { requiredKeys: [] })),
        costPriority: unit,
        speedPriority: unit,
        intelligencePriority: unit,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(traits, { minLength: 1 }), preferences, (models, wanted) => {
        expect(models.map(({ name }) => name)).toContain(chooseModel(wanted, models));
      }),
    );
  });
});
