import { describe, expect, it, onTestFinished } from 'vitest';
import { concat, NEVER, of } from 'rxjs';
import type { Offer } from '@rxmcp/core';
import { RxmcpError, once, progressItem } from '@rxmcp/core';
import { memory } from '@rxmcp/memory';
import { connectedPair } from '@rxmcp/testing';
import { assistant, includePrompt, offerPrompts, prompt, type Prompt, prompts, user } from '../src/index.js';
import { review } from './schemas.js';

const versions = ['2024-11-05', '2025-11-25', '2026-07-28'] as const;
const serving = (server: readonly Offer[], version = '2026-07-28') =>
  connectedPair({ server, version, link: memory(), onCleanup: onTestFinished });

const debugError = prompt('debug-error', { arguments: [{ name: 'error', required: true }] }, ({ error }) => [
  user(`Here's an error I'm seeing: ${error}`),
  assistant('What have you tried so far?'),
]);
const analyzeProject = prompt(
  'analyze-project',
  { arguments: [{ name: 'error', required: true }] },
  async ({ error }, ctx) => [
    user('Look at this project.'),
    ...(await includePrompt(debugError, { error }, ctx)),
    user('Now say what to do.'),
  ],
);

describe.each(versions)('prompts made of prompts in %s', (version) => {
  it('debug-error inside of analyze-project', async () => {
    const { remote } = await serving([offerPrompts([analyzeProject])], version);
    const { messages } = await once(prompts(remote).get('analyze-project', { error: 'EACCES' }));
    expect(messages.map(({ role, content }) => [role, 'text' in content && content.text])).toEqual([
      ['user', 'Look at this project.'],
      ['user', "Here's an error I'm seeing: EACCES"],
      ['assistant', 'What have you tried so far?'],
      ['user', 'Now say what to do.'],
    ]);
  });

  it('the needs of the inner one are asked of the caller', async () => {
    const asking = prompt('ask', { needs: ['sampling'] }, () => 'ran');
    const outer = prompt('outer', {}, (_, ctx) => includePrompt(asking, {}, ctx));
    const { remote } = await serving([offerPrompts([outer])], version);
    await expect(once(prompts(remote).get('outer'))).rejects.toMatchObject({
      code: version < '2026' ? -31002 : -32021,
    });
  });
});

it('the arguments of the inner one are checked and transformed by its schema', async () => {
  const inner = prompt('inner', { arguments: review }, ({ depth }) => `depth ${depth + 1}`);
  const outer = (args: Record<string, string>) =>
    prompt('outer', {}, (_, ctx) => includePrompt(inner, args, ctx));
  const get = async (made: Prompt) => {
    const { remote } = await serving([offerPrompts([made])]);
    return once(prompts(remote).get('outer'));
  };
  expect((await get(outer({ code: 'x', depth: '2' }))).messages).toEqual([user('depth 3')]);
  await expect(get(outer({ code: 'x', depth: 'deep' }))).rejects.toMatchObject({
    code: -32602,
    message: 'invalid arguments for prompt "inner": depth: must be a number',
  });
  await expect(get(outer({}))).rejects.toMatchObject({
    message: 'prompt "inner" misses the arguments "code", "depth"',
  });
});

it('reports of the inner one reach the caller, and it ends with the request', async () => {
  let left = 0;
  const inner = prompt('inner', {}, () => concat(of(progressItem(1, 2), 'done'), NEVER));
  const endless = prompt('endless', {}, () => ({
    subscribe: () => ({ unsubscribe: () => void (left += 1) }),
  }));
  const outer = prompt('outer', {}, async (_, ctx) => includePrompt(inner, {}, ctx));
  const stuck = prompt('stuck', {}, async (_, ctx) => includePrompt(endless, {}, ctx));
  const { remote } = await serving([offerPrompts([outer, stuck])]);
  expect((await once(prompts(remote).get('outer'))).messages).toEqual([user('done')]);
  const reason = new AbortController();
  const waiting = once(prompts(remote).get('stuck'), { signal: reason.signal });
  setTimeout(() => reason.abort(), 5);
  await expect(waiting).rejects.toThrow();
  await expect.poll(() => left).toBe(1);
});

it('a hundred at a time wait for the end of the request, and no warning is printed', async () => {
  const warnings: Error[] = [];
  const heard = (warning: Error) => void warnings.push(warning);
  process.on('warning', heard);
  onTestFinished(() => void process.off('warning', heard));
  let running = 0;
  let left = 0;
  const endless = prompt('endless', {}, () => ({
    subscribe() {
      running += 1;
      return { unsubscribe: () => void (left += 1) };
    },
  }));
  const outer = prompt('outer', {}, async (_, ctx) =>
    (await Promise.all(Array.from({ length: 100 }, () => includePrompt(endless, {}, ctx)))).flat(),
  );
  const { remote } = await serving([offerPrompts([outer])]);
  const asked = prompts(remote).get('outer').subscribe();
  await expect.poll(() => running).toBe(100);
  asked.unsubscribe();
  await expect.poll(() => left).toBe(100);
  // Warnings come once all microtasks have run.
  await new Promise((resolve) => setImmediate(resolve));
  expect(warnings).toEqual([]);
});

it('two that include each other end in an error', async () => {
  const ping: Prompt = prompt('ping', {}, (_, ctx) => includePrompt(pong, {}, ctx));
  const pong: Prompt = prompt('pong', {}, (_, ctx) => includePrompt(ping, {}, ctx));
  const { remote, serverFaults } = await serving([offerPrompts([ping, pong])]);
  await expect(once(prompts(remote).get('ping'))).rejects.toMatchObject({ code: -32603 });
  expect(String((serverFaults[0] as { cause?: unknown }).cause)).toContain(
    'is one too many: 100 may be included in one request',
  );
});

it('an inner one without a result, or that is not a prompt, is an error of the outer', async () => {
  const empty = prompt('empty', {}, () => of());
  const outer = prompt('outer', {}, async (_, ctx) =>
    includePrompt(empty, {}, ctx).catch((error: unknown) => (RxmcpError.is(error) ? error.code : 'other')),
  );
  const { remote } = await serving([offerPrompts([outer])]);
  expect((await once(prompts(remote).get('outer'))).messages).toEqual([user('NO_RESULT')]);
  await expect(includePrompt({ name: 'x' } as never, {}, {} as never)).rejects.toThrow('not a prompt');
});
