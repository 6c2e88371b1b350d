import { expect, it } from 'vitest';
import { carried, versionsOf } from '../../src/eras/versions.js';

const all = versionsOf();

it.each([
  [undefined, undefined, all],
  [['legacy', 'modern'], undefined, all],
  [['modern'], undefined, { ...all, legacy: [] }],
  [['legacy'], undefined, { ...all, modern: [] }],
  [undefined, ['2025-06-18', '2026-07-28'], { legacy: ['2025-06-18'], modern: ['2026-07-28'] }],
  [['legacy'], ['2025-06-18', '2026-07-28'], { legacy: ['2025-06-18'], modern: [] }],
] as const)('the eras %j and versions %j', (eras, pinned, versions) => {
  expect(versionsOf(eras, pinned)).toEqual(versions);
});

it.each([
  [undefined, ['2020-01-01'], 'unsupported protocol version "2020-01-01"'],
  [['modern'], ['2025-06-18'], 'no protocol revision is left'],
  [[], undefined, 'no protocol revision is left'],
  [undefined, [], 'no protocol revision is left'],
] as const)('the eras %j and versions %j are rejected', (eras, pinned, message) => {
  expect(() => versionsOf(eras, pinned)).toThrow(message);
});

it('a transport carries the versions that it names, or all', () => {
  expect(carried(all, undefined)).toBe(all);
  expect(carried(all, ['2024-11-05', 'x'])).toEqual({ legacy: ['2024-11-05'], modern: [] });
  expect(carried(all, ['2026-07-28'])).toEqual({ legacy: [], modern: ['2026-07-28'] });
});
