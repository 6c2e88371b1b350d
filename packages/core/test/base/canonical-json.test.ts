import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { canonicalJson, canonicalSteps } from '../../src/base/canonical-json.js';

/** Does all steps, and returns how many there were and the text. */
function inSteps(value: unknown): { count: number; text: string } {
  const steps = canonicalSteps(value);
  for (let count = 1; ; count += 1) {
    const step = steps.next();
    if (step.done === true) return { count, text: step.value };
  }
}

/** Returns the same value, with the members of its objects in the reverse order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}

describe('canonical JSON in steps', () => {
  it('is one text for each value, in whatever order its members are', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const { text } = inSteps(value);
        expect(JSON.stringify(JSON.parse(text))).toBe(JSON.stringify(JSON.parse(canonicalJson(value))));
        expect(inSteps(reversed(value)).text).toBe(text);
      }),
    );
  });

  it('has a step for each 1,024 values, wherever they are', () => {
    const values = Array.from({ length: 10_240 }, (_, at) => at);
    const names = Object.fromEntries(values.map((at) => [`name ${String(at)}`, at]));
    for (const value of [
      values,
      names,
      values.map((at) => [at % 2 === 0 ? {} : []]),
      { a: [{ b: names }] },
    ]) {
      expect(inSteps(value).count).toBeGreaterThan(10);
    }
  });

  it('copies a long string as often, however deep it is nested', () => {
    let nested: unknown = 'x'.repeat(10_000);
    for (let depth = 0; depth < 100; depth += 1) nested = depth % 2 === 0 ? [nested, 1] : { a: nested, b: 1 };
    const join = vi.spyOn(Array.prototype, 'join');
    onTestFinished(() => join.mockRestore());
    const { text } = inSteps(nested);
    const joined = join.mock.results.map(({ value }) => (value as string).length);
    expect(JSON.parse(text)).toEqual(nested);
    expect(joined.reduce((sum, length) => sum + length)).toBeLessThan(2 * text.length);
  });
});
