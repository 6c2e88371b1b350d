import { expect, it } from 'vitest';
import { user } from '../src/index.js';
import { promptInfoOf, promptResultOf } from '../src/types.js';

it('keeps an entry with members that nobody knows', () => {
  const entry = { name: 'a', arguments: [{ name: 'x', later: 1 }], later: {} };
  expect(promptInfoOf(entry)).toBe(entry);
});

it.each([null, 'a', [], {}, { name: 1 }])('an unusable entry: %j', (entry) => {
  expect(promptInfoOf(entry)).toBeUndefined();
});

it('an entry loses optional members of a wrong type, and nothing else', () => {
  expect(promptInfoOf({ name: 'a', title: 1, arguments: [{}], icons: {}, x: null })).toEqual({
    name: 'a',
    x: null,
  });
});

it('keeps a result with members that nobody knows', () => {
  const result = { messages: [user('a')], later: 1 };
  expect(promptResultOf('p', result)).toBe(result);
});

it.each([
  [{}, '"messages" is no array'],
  [
    { messages: [user('a'), { role: 'system', content: { type: 'text', text: '' } }] },
    '"messages[1]" is no message',
  ],
  [{ messages: [{ role: 'user', content: [] }] }, '"messages[0]" is no message'],
  [{ messages: [], description: 1 }, '"description" is no string'],
])('refuses the result %j', (result, problem) => {
  expect(() => promptResultOf('p', result)).toThrow(
    expect.objectContaining({ code: 'INVALID_RESULT', message: `prompts/get "p": ${problem}` }),
  );
});
