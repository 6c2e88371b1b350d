import { expect, it } from 'vitest';
import { of } from 'rxjs';
import { progressItem } from '@rxmcp/core';
import { assistant, prompt, text, user } from '../src/index.js';
import { partsOf } from '../src/prompt.js';
import { review } from './schemas.js';

it('describes a list of arguments as it is', () => {
  const listed = [{ name: 'code', required: true, description: 'x' }, { name: 'style' }] as const;
  const made = prompt(
    'explain',
    { title: 'E', description: 'D', arguments: listed, meta: { a: 1 } },
    () => '',
  );
  expect(made.info).toEqual({
    name: 'explain',
    title: 'E',
    description: 'D',
    arguments: listed,
    _meta: { a: 1 },
  });
  expect(prompt('bare', {}, () => '').info).toEqual({ name: 'bare' });
});

it('describes the members of a schema', () => {
  expect(prompt('review', { arguments: review }, () => '').info.arguments).toEqual([
    { name: 'code', description: 'What to look at.', required: true },
    { name: 'depth', title: 'Depth', required: true },
  ]);
});

it.each<[string, () => unknown, string]>([
  ['an empty name', () => prompt('', {}, () => ''), 'a prompt needs a name'],
  ['an invisible name', () => prompt('a\u200b', {}, () => ''), 'zero-width'],
  ['no handler', () => prompt('x', {}, 1 as never), 'needs a handler'],
  [
    'two arguments of one name',
    () => prompt('x', { arguments: [{ name: 'a' }, { name: 'a' }] }, () => ''),
    'two arguments have the name "a"',
  ],
  ['an argument without a name', () => prompt('x', { arguments: [{} as never] }, () => ''), 'needs a name'],
  [
    'an object of schemas',
    () => prompt('x', { arguments: { code: review } as never }, () => ''),
    'the arguments of prompt "x": "code" is a schema, but the object around it is not: wrap it',
  ],
  [
    'unknown needs',
    () => prompt('x', { needs: ['elicit' as never] }, () => ''),
    'prompt "x" needs "elicit"; expected one of sampling, sampling.tools, roots, elicitation, elicitation.url',
  ],
  ['arguments that are neither', () => prompt('x', { arguments: {} as never }, () => ''), 'neither'],
])('refuses %s', (_, make, message) => {
  expect(make).toThrow(TypeError);
  expect(make).toThrow(message);
});

it('refuses a schema without named members', () => {
  const none = {
    ...review['~standard'],
    jsonSchema: { input: () => ({ type: 'string' }), output: () => ({}) },
  };
  expect(() => prompt('x', { arguments: { '~standard': none } }, () => '')).toThrow('named members');
});

it('names both versions for a prompt of another copy', () => {
  const other = {
    name: 'x',
    info: {},
    [Symbol.for('rxmcp.prompt')]: { copy: { version: '0.0.1' } },
  } as never;
  expect(() => partsOf(other)).toThrow(/another copy of @rxmcp\/core \(0\.0\.1, this is \d/);
  expect(() => partsOf({} as never)).toThrow('not a prompt');
});

it('types the parameters and the result of a handler', () => {
  const listed = { arguments: [{ name: 'a', required: true }, { name: 'b' }] } as const;
  prompt('listed', listed, ({ a, b }) => user(a + (b ?? '')));
  prompt('inline', { arguments: [{ name: 'a', required: true }] }, ({ a }) => [
    user(a),
    assistant(text('b')),
  ]);
  prompt('schema', { arguments: review }, async ({ depth }) => ({ messages: [user(depth.toFixed())] }));
  prompt('stream', {}, () => of(progressItem(1), 'text'));
  // @ts-expect-error an object of schemas is not a schema
  expect(() => prompt('loose', { arguments: { code: review } }, () => '')).toThrow('z.object(');
  // @ts-expect-error there is no such argument
  prompt('wrong', { arguments: [{ name: 'a' }] }, ({ b }) => String(b));
  // @ts-expect-error a number is not a message
  prompt('wrong', {}, () => 1);
});
