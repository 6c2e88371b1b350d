import { describe, expect, it, onTestFinished } from 'vitest';
import { BehaviorSubject, concat, NEVER, of, throwError } from 'rxjs';
import type { Offer } from '@rxmcp/core';
import { once, progressItem } from '@rxmcp/core';
import { memory } from '@rxmcp/memory';
import { connectedPair } from '@rxmcp/testing';
import { assistant, image, offerPrompts, prompt, type Prompt, prompts, user } from '../src/index.js';
import { foreignReview, review, slowReview } from './schemas.js';

/** Every published revision. */
const versions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;

const serving = (server: readonly Offer[], version = '2026-07-28') =>
  connectedPair({ server, version, link: memory(), onCleanup: onTestFinished });

const explain = prompt(
  'explain-code',
  { description: 'Explains code.', arguments: [{ name: 'code', required: true }, { name: 'style' }] },
  ({ code, style = 'plain' }) => ({
    description: 'As asked.',
    messages: [user(`Explain in ${style} words: ${code}`)],
  }),
);

describe.each(versions)('prompts in %s', (version) => {
  it('are listed, filled in and refused', async () => {
    const { remote } = await serving([offerPrompts([explain])], version);
    expect(await once(prompts(remote).list())).toEqual([explain.info]);
    const filled = await once(prompts(remote).get('explain-code', { code: 'a+b' }));
    expect(filled).toMatchObject({
      description: 'As asked.',
      messages: [{ role: 'user', content: { type: 'text', text: 'Explain in plain words: a+b' } }],
    });
    await expect(once(prompts(remote).get('explain-cod'))).rejects.toMatchObject({
      code: -32602,
      message: 'unknown prompt "explain-cod", did you mean "explain-code"?',
    });
  });

  it('change while they are watched', async () => {
    const source = new BehaviorSubject<readonly Prompt[]>([explain]);
    const { remote } = await serving([offerPrompts(source)], version);
    const seen: string[][] = [];
    const wanted = new Promise<void>((resolve) => {
      prompts(remote).list$.subscribe((all) => {
        seen.push(all.map(({ name }) => name));
        if (seen.length === 1) source.next([explain, prompt('new', {}, () => 'x')]);
        else resolve();
      });
    });
    await wanted;
    expect(seen).toEqual([['explain-code'], ['explain-code', 'new']]);
  });

  it('name all missing arguments at once', async () => {
    const two = prompt(
      'two',
      {
        arguments: [
          { name: 'a', required: true },
          { name: 'b', required: true },
        ],
      },
      () => 'x',
    );
    const { remote } = await serving(
      [offerPrompts([two, prompt('schema', { arguments: review }, () => 'x')])],
      version,
    );
    await expect(once(prompts(remote).get('two'))).rejects.toMatchObject({
      code: -32602,
      message: 'prompt "two" misses the arguments "a", "b"',
    });
    await expect(once(prompts(remote).get('schema'))).rejects.toMatchObject({
      code: -32602,
      message: 'prompt "schema" misses the arguments "code", "depth"',
    });
  });
});

it.each([
  ['at once', review],
  ['later', slowReview],
  ['by another realm', foreignReview],
])('arguments are checked %s and arrive as the schema makes them', async (_, schema) => {
  let got: unknown;
  const made = prompt('review', { arguments: schema }, (args) => ((got = args), 'ok'));
  const { remote } = await serving([offerPrompts([made])]);
  await once(prompts(remote).get('review', { code: 'x', depth: '2' }));
  expect(got).toEqual({ code: 'x', depth: 2 });
  await expect(once(prompts(remote).get('review', { code: 'x', depth: 'deep' }))).rejects.toMatchObject({
    code: -32602,
    message: 'invalid arguments for prompt "review": depth: must be a number',
  });
});

it('a handler returns a text, a message, messages or a whole result, in any way', async () => {
  const said = (text: string) => ({ messages: [{ role: 'user', content: { type: 'text', text } }] });
  const ways = [
    ['text', () => 'a', said('a')],
    ['message', () => user('a'), said('a')],
    ['promise', async () => 'a', said('a')],
    ['observable', () => concat(of(progressItem(1)), of(user('a'))), said('a')],
    [
      'conversation',
      () => [user('a'), assistant(image('AA==', 'image/png'))],
      {
        messages: [...said('a').messages, { role: 'assistant', content: { type: 'image' } }],
      },
    ],
  ] as const;
  const { remote } = await serving([
    offerPrompts(ways.map(([name, handler]) => prompt(name, {}, handler as () => string))),
  ]);
  for (const [name, , expected] of ways) {
    expect(await once(prompts(remote).get(name)), name).toMatchObject(expected);
  }
});

it('a failing or wrong handler becomes a general error and a fault', async () => {
  const wrong = [
    () => throwError(() => new Error('secret')),
    () => 1,
    () => [user('a'), 'b'],
    () => undefined,
    () => [user('a'), { role: 'user', content: { type: 'image', data: 'no!', mimeType: 'image/png' } }],
  ];
  const made = wrong.map((handler, at) => prompt(`p${at}`, {}, handler as never));
  const { remote, serverFaults: faults } = await serving([offerPrompts(made)]);
  for (const { name } of made) {
    const error: unknown = await once(prompts(remote).get(name)).catch((caught: unknown) => caught);
    expect(error, name).toMatchObject({ code: -32603 });
    expect(String(error)).not.toContain('secret');
  }
  expect(faults.length).toBe(made.length);
  expect(String(faults.at(-1)?.cause)).toContain('"messages[1]", whose content is of the type "image"');
});

describe('bad requests', () => {
  it.each([
    [{}, '"name" must be a string'],
    [{ name: 'explain-code', arguments: [] }, '"arguments" must be an object'],
    [{ name: 'explain-code', arguments: { code: 1, style: null } }, 'must be strings: "code", "style"'],
    [{ name: '__proto__' }, 'unknown prompt "__proto__"'],
  ])('%j', async (params, message) => {
    const { remote } = await serving([offerPrompts([explain])]);
    await expect(once(remote.request('prompts/get', params))).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(message),
    });
  });

  it('are not even sent where the caller could know', async () => {
    const { remote } = await serving([offerPrompts([explain])]);
    for (const [name, args] of [
      [1, {}],
      ['explain-code', { code: 1 }],
      ['explain-code', []],
    ] as [never, never][]) {
      await expect(once(prompts(remote).get(name, args))).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
    }
  });
});

it('sends lists in pages where pageSize is set', async () => {
  const made = ['a', 'b', 'c'].map((name) => prompt(name, {}, () => name));
  const { remote } = await serving([offerPrompts(made, { pageSize: 2 })]);
  expect(await once(remote.request('prompts/list'))).toMatchObject({
    prompts: [{ name: 'a' }, { name: 'b' }],
  });
  expect((await once(prompts(remote).list())).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  await expect(once(remote.request('prompts/list', { cursor: 'x' }))).rejects.toMatchObject({ code: -32602 });
});

it('a prompt whose needs the client lacks is refused', async () => {
  for (const version of versions) {
    const asking = prompt('ask', { needs: ['sampling'] }, () => 'ran');
    const { remote } = await serving([offerPrompts([asking])], version);
    await expect(once(prompts(remote).get('ask')), version).rejects.toMatchObject({ name: 'RpcError' });
  }
});

it('a live source without a value is an error after its timeout', async () => {
  const { remote } = await serving([offerPrompts(NEVER, { offerTimeoutMs: 1 })]);
  for (const asked of [once(prompts(remote).list()), once(prompts(remote).get('x'))]) {
    await expect(asked).rejects.toMatchObject({
      message: expect.stringContaining('no value of prompts within 1 ms'),
    });
  }
});

it('changes are announced only where there can be any', () => {
  expect(offerPrompts([explain]).capabilities).toEqual({ prompts: {} });
  expect(offerPrompts(NEVER).capabilities).toEqual({ prompts: { listChanged: true } });
});

it('a server without prompts has none, and a request names the missing capability', async () => {
  const { remote } = await serving([]);
  expect(await once(prompts(remote).list())).toEqual([]);
  expect(await once(prompts(remote).list$)).toEqual([]);
  await expect(once(prompts(remote).get('x'))).rejects.toMatchObject({ code: 'CAPABILITY_NOT_SUPPORTED' });
});
