import { expect, it } from 'vitest';
import { nearestName, rejectUnknownOptions } from '../../src/internal.js';

it.each([
  ['tool', ['tools'], 'tools'],
  ['reposittory', ['repository', 'repositories'], 'repository'],
  ['Search', ['list', 'search'], 'search'],
  // One typing error in three characters, two in six or more.
  ['abx', ['abc'], 'abc'],
  ['axx', ['abc'], undefined],
  ['abcdxx', ['abcdef'], 'abcdef'],
  ['abcxxx', ['abcdef'], undefined],
  ['abcdefghixxx', ['abcdefghijkl'], undefined],
  // The nearest of several, and the first of those.
  ['searching', ['searches', 'searchin'], 'searchin'],
  ['list_a', ['list_b', 'list_c'], 'list_b'],
  // Another length by more than the distance.
  ['search', ['searches_'], undefined],
  ['ab', ['ac'], undefined],
  ['x'.repeat(65), ['x'.repeat(64)], undefined],
])('the name next to %j of %j is %j', (name, known, nearest) => {
  expect(nearestName(name, known)).toBe(nearest);
});

it('compares a name with the first 1,000', () => {
  const names = (count: number) => [
    ...Array.from({ length: count }, (_, at) => `other ${String(at)}`),
    'search',
  ];
  expect([nearestName('serch', names(999)), nearestName('serch', names(1_000))]).toEqual([
    'search',
    undefined,
  ]);
});

it.each([
  [{ maxBytes: 1 }, 'f: unknown option "maxBytes", did you mean "maxMessageBytes"?'],
  [{ pathname: 1 }, 'f: unknown option "pathname", did you mean "path"?'],
  [{ xs: 1 }, 'f: unknown option "xs". It has path, maxMessageBytes'],
  [{ url: 1 }, 'f: unknown option "url", did you mean "path"?'],
  ['text', 'f: the options must be an object, not a string'],
  [[], 'f: the options must be an object, not an array'],
])('the options %j are rejected: %s', (options, message) => {
  const check = (given: unknown) =>
    rejectUnknownOptions('f', given as object, { path: true, maxMessageBytes: true }, { url: 'path' });
  expect(() => check(options)).toThrow(new TypeError(message));
  for (const fine of [undefined, {}, { path: 1 }, { unknown: undefined }]) check(fine);
});
