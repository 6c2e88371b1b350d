import { expect, it } from 'vitest';
import type { Fault } from '../../src/index.js';
import {
  assertSize,
  droppedMemberReporter,
  entryChecks,
  isMediaType,
  isSize,
  omitInvalidMembers,
} from '../../src/internal.js';

it('an entry loses optional members of a wrong type', () => {
  const dropped: unknown[] = [];
  const valid = { name: 1, title: 'T', description: 'D', icons: [], _meta: {}, other: 1 };
  expect(omitInvalidMembers(valid, entryChecks, (members) => dropped.push(members))).toBe(valid);
  const wrong = { name: 1, title: 1, description: {}, icons: {}, _meta: [], other: 1 };
  expect(omitInvalidMembers(wrong, entryChecks, (members) => dropped.push(members))).toEqual({
    name: 1,
    other: 1,
  });
  expect(dropped).toEqual([['title', 'description', 'icons', '_meta']]);
  expect(omitInvalidMembers({ title: 1 }, entryChecks)).toEqual({});
});

it('what was removed is reported for the first entry only', () => {
  const faults: Fault[] = [];
  const report = droppedMemberReporter(
    { fault: (fault: Fault) => void faults.push(fault) } as never,
    'tools/list',
  );
  report('a\n')(['title', ...Array.from({ length: 20 }, (_, at) => `m${String(at)}`)]);
  report('b')(['title']);
  expect(faults.map(({ code }) => code)).toEqual(['MEMBER_DROPPED']);
  expect(faults[0]?.message).toMatch(
    /^"tools\/list": removed "title", "m0", .*"m8" of "a\\n": not of the type/,
  );
});

it.each([
  [0, true],
  [7, true],
  [-1, false],
  [1.5, false],
  [Infinity, false],
  ['7', false],
  [null, false],
])('%j is a size: %s', (value, expected) => {
  expect(isSize(value)).toBe(expected);
  const check = (): void => assertSize('resource "a"', value);
  if (expected) check();
  else expect(check).toThrow(/^resource "a": "size" must be a whole number of bytes, not /);
});

it('a size may be absent', () => {
  expect(() => assertSize('resource "a"', undefined)).not.toThrow();
});

it.each([
  ['text/plain', true],
  ['text/plain; charset=utf-8', true],
  ['image/svg+xml', true],
  ['text', false],
  ['text/', false],
  ['', false],
  [1, false],
])('%j is a media type: %s', (value, expected) => {
  expect(isMediaType(value)).toBe(expected);
});
