import { expect, it } from 'vitest';
import { user } from '../src/index.js';
import { promptInfoOf, promptResultOf } from '../src/types.js';

const left: string[] = [];
const hears = (where: string) => (members: readonly string[]) => {
  left.push(`${where}: ${members.join()}`);
};

it('keeps an entry with unknown members', () => {
  const entry = { name: 'a', arguments: [{ name: 'x', later: 1 }], later: {} };
  expect(promptInfoOf(entry, hears)).toBe(entry);
});

it.each([null, 'a', [], {}, { name: 1 }])('an unusable entry: %j', (entry) => {
  expect(promptInfoOf(entry, hears)).toBeUndefined();
});

it('an entry loses optional members of a wrong type, and nothing else', () => {
  expect(promptInfoOf({ name: 'a', title: 1, arguments: [{}], icons: {}, x: null }, hears)).toEqual({
    name: 'a',
    x: null,
  });
});

it('keeps a result with unknown members', () => {
  const result = { messages: [user('a')], later: 1 };
  expect(promptResultOf('p', result, hears)).toBe(result);
});

it.each([
  [{}, '"messages" is no array'],
  [
    { messages: [user('a'), { role: 'system', content: { type: 'text', text: '' } }] },
    '"messages[1]" is no message',
  ],
  [{ messages: [{ role: 'user', content: [] }] }, '"messages[0]" is no message'],
  [
    { messages: [user('a'), { role: 'user', content: { type: 'image', data: '%', mimeType: 'image/png' } }] },
    'the content of "messages[1]" is of the type "image", whose "data" is not base64',
  ],
  [{ messages: [], description: 1 }, '"description" is no string'],
])('refuses the result %j', (result, problem) => {
  expect(() => promptResultOf('p', result, hears)).toThrow(
    expect.objectContaining({ code: 'INVALID_RESULT', message: `prompts/get "p": ${problem}` }),
  );
});

it('drops invalid annotations of a block, and says which', () => {
  left.length = 0;
  const good = { role: 'user', content: { type: 'text', text: 'a', annotations: { priority: 1 } } };
  const bad = {
    role: 'user',
    content: { type: 'text', text: 'b', annotations: { priority: 1, audience: ['x'] } },
  };
  const { messages } = promptResultOf('p', { messages: [good, bad] }, hears);
  expect(messages[0]).toBe(good);
  expect(messages[1]).toEqual({ ...bad, content: { type: 'text', text: 'b', annotations: { priority: 1 } } });
  expect(left).toEqual(['p: annotations.audience']);
});
