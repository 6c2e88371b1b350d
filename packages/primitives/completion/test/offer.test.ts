import { concat, finalize, NEVER, of } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Caller, Offer } from '@rxmcp/core';
import { once, progressItem, RpcError } from '@rxmcp/core';
import { memory } from '@rxmcp/memory';
import { connectedPair } from '@rxmcp/testing';
import type { CompletionSource } from '../src/index.js';
import { completion, offerCompletion, filterByPrefix } from '../src/index.js';

/** Every published revision. */
const versions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;

const serving = (offer: Offer, version = '2026-07-28') =>
  connectedPair({ server: [offer], version, link: memory(), onCleanup: onTestFinished });

const contexts: readonly unknown[] = [[], { arguments: 'a' }, { arguments: { a: 1 } }];
const languages = ['TypeScript', 'Tcl', 'Python'];
const numbers = (count: number): string[] => Array.from({ length: count }, (_, index) => `n${index}`);

describe.each(versions)('completion in %s', (version) => {
  const offer = offerCompletion({
    prompts: { review: { language: languages, depth: [] } },
    templates: {
      'file:///{path}': { path: (typed) => [`${typed}.md`] },
      'db://{table}{?limit}': { table: ['users'] },
    },
  });

  it('suggests values for arguments of prompts and variables of templates', async () => {
    const { remote } = await serving(offer, version);
    const { prompt, template } = completion(remote);
    expect(await once(prompt('review', 'language', 't'))).toEqual({
      values: ['TypeScript', 'Tcl'],
      total: 2,
      hasMore: false,
    });
    expect(await once(prompt('review', 'depth', 'x'))).toEqual({ values: [], total: 0, hasMore: false });
    expect(await once(template('file:///{path}', 'path', 'a'))).toMatchObject({ values: ['a.md'] });
    expect(await once(template('db://{table}{?limit}', 'limit', ''))).toMatchObject({ values: [] });
  });

  it('answers unknown references with -32602', async () => {
    const { remote } = await serving(offer, version);
    const { prompt, template } = completion(remote);
    const refused = (message: string) => ({ code: -32602, message: expect.stringContaining(message) });
    await expect(once(prompt('other', 'language', ''))).rejects.toMatchObject(refused('prompt "other"'));
    await expect(once(prompt('review', 'other', ''))).rejects.toMatchObject(
      refused('"other" of prompt "review"'),
    );
    await expect(once(template('file:///{+path}', 'path', ''))).rejects.toMatchObject(
      refused('template "file:///{+path}"'),
    );
    await expect(once(prompt('constructor', 'name', ''))).rejects.toMatchObject(refused('"constructor"'));
    await expect(once(prompt('review', 'toString', ''))).rejects.toMatchObject(refused('"toString"'));
  });

  it('refuses parameters that are malformed with -32602', async () => {
    const { remote } = await serving(offer, version);
    const ref = { type: 'ref/prompt', name: 'review' };
    const argument = { name: 'language', value: '' };
    for (const params of [
      {},
      { ref },
      { argument },
      { ref: 'review', argument },
      { ref: { type: 'ref/prompt' }, argument },
      { ref: { type: 'ref/resource' }, argument },
      { ref: { type: 'ref/other', name: 'review' }, argument },
      { ref, argument: { name: 1, value: '' } },
      { ref, argument: { name: 'language' } },
      { ref, argument: { name: 'language', value: ['a'] } },
      // Before 2025-06-18 the protocol has no context: it is neither sent nor read.
      ...(version < '2025-06-18' ? [] : contexts.map((context) => ({ ref, argument, context }))),
    ]) {
      const failed = once(remote.request('completion/complete', params));
      await expect(failed, JSON.stringify(params)).rejects.toMatchObject({ code: -32602 });
    }
    const long = { type: 'ref/resource', uri: `x:${'a'.repeat(8_191)}` };
    await expect(once(remote.request('completion/complete', { ref: long, argument }))).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('a URI of 8193 characters is too long; at most 8192 are allowed'),
    });
    const more = { ref: { ...ref, title: 'Review' }, argument, context: {} };
    expect(await once(remote.request('completion/complete', more))).toMatchObject({
      completion: { values: languages },
    });
  });
});

it('merges two offers: the first that knows a prompt or template answers', async () => {
  const { remote } = await connectedPair({
    server: [
      offerCompletion({ prompts: { one: { x: ['first'] } } }),
      offerCompletion({ prompts: { one: { x: ['second'] }, two: { x: ['third'] } } }),
    ],
    onCleanup: onTestFinished,
  });
  const { prompt } = completion(remote);
  expect(await once(prompt('one', 'x', ''))).toMatchObject({ values: ['first'] });
  expect(await once(prompt('two', 'x', ''))).toMatchObject({ values: ['third'] });
  await expect(once(prompt('none', 'x', ''))).rejects.toMatchObject({ code: -32602 });
});

it('declares the capability, with it only', async () => {
  const { remote } = await serving(offerCompletion({}));
  expect(remote.capabilities).toMatchObject({ completions: {} });
});

describe('the result of a function', () => {
  it.each<[string, CompletionSource]>([
    ['at once', () => ['a', 'b']],
    ['as a promise', async () => ['a', 'b']],
    ['as an Observable', () => concat(of(progressItem(1)), of(['a', 'b']), NEVER)],
    [
      'as an async iterable',
      async function* () {
        yield ['a', 'b'];
        await Promise.resolve();
      },
    ],
    ['with what is known of the rest', () => ({ values: ['a', 'b'] })],
  ])('%s', async (_, source) => {
    const { remote } = await serving(offerCompletion({ prompts: { p: { a: source } } }));
    expect(await once(completion(remote).prompt('p', 'a', ''))).toEqual({
      values: ['a', 'b'],
      total: 2,
      hasMore: false,
    });
  });

  it.each<[string, CompletionSource, object]>([
    ['100 values', numbers(100), { values: numbers(100), total: 100, hasMore: false }],
    ['101 values', numbers(101), { values: numbers(100), total: 101, hasMore: true }],
    ['a function with 250', () => numbers(250), { values: numbers(100), total: 250, hasMore: true }],
    ['a total', () => ({ values: ['a'], total: 7 }), { values: ['a'], total: 7, hasMore: true }],
    ['an unknown number more', () => ({ values: ['a'], hasMore: true }), { values: ['a'], hasMore: true }],
    ['no more', () => ({ values: ['a'], hasMore: false }), { values: ['a'], hasMore: false }],
  ])('%s: sends at most 100, and says how many are left out', async (_, source, expected) => {
    const { remote } = await serving(offerCompletion({ prompts: { p: { a: source } } }));
    expect(await once(completion(remote).prompt('p', 'a', ''))).toEqual(expected);
  });

  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'NO_RESULT'],
    ['a text', 'a', 'HANDLER_FAILED'],
    ['a number among the values', ['a', 1], 'HANDLER_FAILED'],
    ['a total below the values', { values: ['a', 'b'], total: 1 }, 'HANDLER_FAILED'],
  ])('%s is a fault of the server', async (_, given, code) => {
    const offer = offerCompletion({ prompts: { p: { a: () => given as [] } } });
    const { remote, serverFaults } = await serving(offer);
    await expect(once(completion(remote).prompt('p', 'a', ''))).rejects.toMatchObject({ code: -32603 });
    expect(serverFaults.map((fault) => fault.code)).toEqual([code]);
  });

  it("an author's own error", async () => {
    const refuse = (): string[] => {
      throw new RpcError(7, 'not you');
    };
    const { remote } = await serving(offerCompletion({ prompts: { p: { a: refuse } } }));
    await expect(once(completion(remote).prompt('p', 'a', ''))).rejects.toMatchObject({ code: 7 });
  });
});

it('a function gets the typed text, the caller, and the other arguments', async () => {
  const seen: [string, Caller, object][] = [];
  const source: CompletionSource = (typed, ctx, filled) => {
    seen.push([typed, ctx.caller, filled]);
    return filterByPrefix(typed, filled['language'] === 'Python' ? ['Flask', 'Django'] : []);
  };
  const { remote } = await serving(offerCompletion({ prompts: { p: { framework: source } } }));
  const { prompt } = completion(remote);
  const found = await once(prompt('p', 'framework', 'fl', { arguments: { language: 'Python' } }));
  expect(found.values).toEqual(['Flask']);
  expect((await once(prompt('p', 'framework', 'fl'))).values).toEqual([]);
  expect(seen).toMatchObject([
    ['fl', { info: { name: 'test' } }, { language: 'Python' }],
    ['fl', { info: { name: 'test' } }, {}],
  ]);
});

it('a cancelled completion tears its source down', async () => {
  let begun = (): void => undefined;
  let ended = (): void => undefined;
  const running = new Promise<void>((resolve) => (begun = resolve));
  const over = new Promise<void>((resolve) => (ended = resolve));
  const source = () => {
    begun();
    return NEVER.pipe(finalize(() => ended()));
  };
  const { remote } = await serving(offerCompletion({ prompts: { p: { a: source } } }));
  const asking = completion(remote).prompt('p', 'a', '').subscribe();
  await running;
  asking.unsubscribe();
  await over;
});

it('a list that is changed later has no effect', async () => {
  const list = ['a'];
  const { remote } = await serving(offerCompletion({ prompts: { p: { a: list } } }));
  list.push('b');
  expect((await once(completion(remote).prompt('p', 'a', ''))).values).toEqual(['a']);
});
