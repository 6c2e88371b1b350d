import { describe, expect, it, onTestFinished } from 'vitest';
import type { Offer, StandardSchema } from '@rxmcp/core';
import { once } from '@rxmcp/core';
import { memory } from '@rxmcp/memory';
import { connectedPair } from '@rxmcp/testing';
import { offerPrompts, prompt, prompts, text, user } from '../src/index.js';

const versions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;
const serving = (server: readonly Offer[], version = '2026-07-28') =>
  connectedPair({ server, version, link: memory(), onCleanup: onTestFinished });

describe.each(versions)('a template in %s', (version) => {
  it('carries its version in the list and in its results', async () => {
    const made = prompt('a', { version: '1.2.0', meta: { more: 1 } }, () => ({
      messages: [user('x')],
      _meta: { cost: 2 },
    }));
    const { remote } = await serving([offerPrompts([made, prompt('b', {}, () => 'x')])], version);
    const [a, b] = await once(prompts(remote).list());
    const inLists = version >= '2025-06-18';
    expect(a?._meta).toEqual(inLists ? { more: 1, version: '1.2.0' } : undefined);
    expect(b).toEqual({ name: 'b' });
    expect((await once(prompts(remote).get('a')))._meta).toMatchObject({ cost: 2, version: '1.2.0' });
    expect((await once(prompts(remote).get('b')))._meta ?? {}).not.toHaveProperty('version');
  });

  it('states the defaults of optional arguments, and fills them in', async () => {
    const args = [
      { name: 'code', required: true },
      { name: 'language', description: 'Of the code.', default: 'JavaScript' },
      { name: 'style', default: 'plain' },
    ] as const;
    const made = prompt('explain', { arguments: args }, ({ code, language, style }) =>
      // Both are there: no fall-back is needed.
      user([code, language.length, style.length].join()),
    );
    const { remote } = await serving([offerPrompts([made])], version);
    const [info] = await once(prompts(remote).list());
    expect(info?.arguments).toEqual([
      { name: 'code', required: true },
      { name: 'language', description: 'Of the code. (default: "JavaScript")' },
      { name: 'style', description: 'default: "plain"' },
    ]);
    const { get } = prompts(remote);
    expect((await once(get('explain', { code: 'x' }))).messages).toEqual([user('x,10,5')]);
    expect((await once(get('explain', { code: 'x', style: '' }))).messages).toEqual([user('x,10,0')]);
    await expect(once(get('explain', { style: '' }))).rejects.toMatchObject({
      code: -32602,
      message: 'prompt "explain" misses the arguments "code"',
    });
  });
});

it('states the defaults of a schema', () => {
  const properties = {
    code: { type: 'string' },
    language: { type: 'string', default: 'JavaScript', description: 'Of the code.' },
    depth: { default: 3 },
  };
  const json = (): object => ({ type: 'object', properties, required: ['code'] });
  const schema: StandardSchema<object, { depth: number }> = {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate: () => ({ value: { depth: 3 } }),
      jsonSchema: { input: json as never, output: json as never },
    },
  };
  expect(prompt('x', { arguments: schema }, ({ depth }) => `${depth + 1}`).info.arguments).toEqual([
    { name: 'code', required: true },
    { name: 'language', description: 'Of the code. (default: "JavaScript")' },
    { name: 'depth', description: 'default: "3"' },
  ]);
});

it.each<[string, () => unknown, string]>([
  ['an empty version', () => prompt('x', { version: '' }, () => ''), '"version" must be a text'],
  ['a version that is a number', () => prompt('x', { version: 1 as never }, () => ''), '"version"'],
  [
    'two versions',
    () => prompt('x', { version: '1', meta: { version: '2' } }, () => ''),
    'say different things',
  ],
  [
    'a default of what is required',
    () => prompt('x', { arguments: [{ name: 'a', required: true, default: 'b' }] }, () => ''),
    '"a" is required, so its default would never be taken',
  ],
  [
    'a default that is not a string',
    () => prompt('x', { arguments: [{ name: 'a', default: 1 as never }] }, () => ''),
    'the default of "a" must be a string',
  ],
])('refuses %s', (_, make, message) => {
  expect(make).toThrow(TypeError);
  expect(make).toThrow(message);
});

it.each<[string, unknown, string]>([
  [
    'a message with an unknown role',
    [user('a'), { role: 'system', content: text('b') }],
    '"messages[1]", which is not a prompt message',
  ],
  ['an invalid block', { messages: [{ role: 'user', content: { type: 'video' } }] }, '"messages[0]"'],
  ['messages that are no list', { messages: 'a' }, 'neither messages nor a text'],
  [
    'a description that is not a string',
    { messages: [], description: 1 },
    '"description" that is not a string',
  ],
  ['an invalid _meta', { messages: [], _meta: [] }, '"_meta" that is not an object'],
  [
    'bad annotations',
    user({ type: 'text', text: 'a', annotations: { priority: 7 } }),
    'the annotation "priority" must be a number from 0 to 1, not 7',
  ],
])('rejects output that has %s', async (_, output, problem) => {
  const made = prompt('wrong', {}, () => output as string);
  const { remote, serverFaults } = await serving([offerPrompts([made])]);
  await expect(once(prompts(remote).get('wrong'))).rejects.toMatchObject({ code: -32603 });
  const [fault] = serverFaults as readonly { code: string; cause?: unknown }[];
  expect(fault?.code).toBe('HANDLER_FAILED');
  expect(String(fault?.cause)).toContain(problem);
});

it('row 61: an unknown prompt is -32602 by name, in every revision', async () => {
  for (const version of versions) {
    const { remote } = await serving([offerPrompts([prompt('a', {}, () => 'x')])], version);
    await expect(once(prompts(remote).get('gone')), version).rejects.toMatchObject({
      code: -32602,
      message: 'unknown prompt "gone"',
    });
  }
});

it('row 62: names that mean something to JavaScript are names, and arguments, like any other', async () => {
  const args = [{ name: '__proto__' }, { name: 'toString', default: 'x' }] as const;
  const made = prompt('constructor', { arguments: args }, (given) => Object.entries(given).flat().join());
  const { remote } = await serving([offerPrompts([made])]);
  const { get } = prompts(remote);
  const own = JSON.parse('{ "__proto__": "a" }') as Record<string, string>;
  expect((await once(get('constructor', own))).messages).toEqual([user('toString,x,__proto__,a')]);
  for (const name of ['__proto__', 'toString', 'hasOwnProperty'])
    await expect(once(get(name)), name).rejects.toMatchObject({ message: `unknown prompt "${name}"` });
  for (const name of ['a\u202eb', 'a\u200bb', '', 'a\u0000b']) {
    expect(() => prompt(name, {}, () => '')).toThrow(TypeError);
    expect(() => prompt('x', { arguments: [{ name }] }, () => '')).toThrow(TypeError);
  }
});
