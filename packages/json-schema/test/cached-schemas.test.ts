import { expect, it, vi } from 'vitest';
import { validator } from '../src/index.js';

it('gives no Map a schema that V8 would hash by its length alone, and distinguishes long ones', () => {
  const get = vi.spyOn(Map.prototype, 'get');
  const check = validator();
  const titled = (title: string) => ({ type: 'string', title: title.padStart(20_000, 'x') });
  const [one, other] = [check(titled('a')), check(titled('b'))];
  expect(one).not.toBe(other);
  expect(check(titled('a'))).toBe(one);
  const lengths = get.mock.calls.map(([key]: unknown[]) => (typeof key === 'string' ? key.length : 0));
  get.mockRestore();
  expect(Math.max(...lengths)).toBeLessThan(16_384);
});
