import type { JsonObject } from '@rxmcp/core';
import { audio, image, text } from '@rxmcp/core';
import { describe, expect, it } from 'vitest';
import { validateParams, validateResult } from '../../src/messages/validate.js';
import type { CreateMessageParams } from '../../src/index.js';
import { offerSampling, sample } from '../../src/index.js';
import { pair } from '../pair.js';

const user = (content: unknown) => ({ role: 'user', content });
const assistant = (content: unknown) => ({ role: 'assistant', content });
const use = { type: 'tool_use', id: 'u1', name: 'weather', input: {} };
const answer = { type: 'tool_result', toolUseId: 'u1', content: [text('rain')] };
const bad = { type: 'image', data: '!!not base64', mimeType: 'a/b' };
const asked = (more: JsonObject): JsonObject => ({ messages: [user(text('hi'))], maxTokens: 1, ...more });

describe('parameters of a request', () => {
  it.each([
    asked({}),
    asked({ messages: [] }),
    asked({
      messages: [user([text('a'), image('AAAA', 'image/png')]), assistant(audio('AAAA', 'audio/wav'))],
    }),
    asked({ messages: [user(text('?')), assistant([text('see'), use]), user([answer])] }),
    asked({ temperature: 7, stopSequences: ['\n'], includeContext: 'allServers', metadata: { a: 1 } }),
    asked({ somethingNew: 1, modelPreferences: { hints: [{}], speedPriority: 1 } }),
  ])('takes %j', (params) => {
    expect(validateParams(params)).toBeUndefined();
  });

  it.each([
    [{ maxTokens: 1 }, '"messages" must be an array'],
    [asked({ messages: [null] }), '"messages[0]" must be an object'],
    [asked({ messages: [{ role: 'system', content: text('a') }] }), '"messages[0]" must have the role'],
    [asked({ messages: [user(undefined)] }), 'content of the unknown or incomplete type undefined'],
    [asked({ messages: [user({ type: 'video' })] }), '"video"'],
    [asked({ messages: [user({ type: 'image', data: 'AAAA' })] }), '"image"'],
    [asked({ messages: [user([text('a'), undefined])] }), 'undefined'],
    [asked({ messages: [user({ type: 'image', data: 'a', mimeType: 'a/b' })] }), '"data" is not base64'],
    [asked({ messages: [user([{ type: 'audio', data: '', mimeType: 'a' }])] }), 'is not a media type'],
    [
      asked({
        messages: [assistant(use), user({ ...answer, content: [text('a'), image('AAAA', 'a/b'), bad] })],
      }),
      '"messages[1]" has content that holds what is of the type "image", whose "data" is not base64',
    ],
    [asked({ maxTokens: 1.5 }), '"maxTokens"'],
    [asked({ maxTokens: 0 }), '"maxTokens"'],
    [asked({ temperature: '1' }), '"temperature"'],
    [asked({ stopSequences: 'stop' }), '"stopSequences"'],
    [asked({ includeContext: 'all' }), '"includeContext"'],
    [asked({ modelPreferences: { costPriority: 2 } }), '"modelPreferences.costPriority"'],
    [asked({ modelPreferences: { hints: ['claude'] } }), '"modelPreferences.hints"'],
    [asked({ messages: [assistant(use)] }), 'the tool use "u1" has no result'],
    [asked({ messages: [assistant(use), user(text('no'))] }), 'without its result'],
    [asked({ messages: [assistant(use), user([answer, text('and')])] }), 'tool results only'],
    [asked({ messages: [user(answer)] }), 'which is not open'],
    [asked({ messages: [user(use)] }), 'only the assistant'],
    [asked({ messages: [assistant([use, use]), user([answer, answer])] }), 'two tool uses "u1"'],
    [
      asked({ messages: [assistant(use), user([{ ...answer, toolUseId: 'u2' }])] }),
      '"u2", which is not open',
    ],
    [asked({ tools: [{ name: 'weather' }] }), '"tools"'],
    [asked({ tools: [{ inputSchema: {} }] }), '"tools"'],
    [asked({ toolChoice: { mode: 'always' } }), '"toolChoice"'],
  ])('refuses %j', (params, problem) => {
    expect(validateParams(params as JsonObject)).toContain(problem);
  });
});

it('a tool use has an id of at most 8,192 characters', () => {
  const turn = (id: string): JsonObject =>
    asked({ messages: [assistant({ ...use, id }), user({ ...answer, toolUseId: id })] });
  expect(validateParams(turn('u'.repeat(8_192)))).toBeUndefined();
  expect(validateParams(turn('u'.repeat(8_193)))).toContain('messages');
});

describe('a completion', () => {
  it.each([
    [null, 'not an object'],
    [{ role: 'assistant', content: text('a') }, '"model"'],
    [{ role: 'assistant', content: text('a'), model: 'm', stopReason: 1 }, '"stopReason"'],
    [{ role: 'robot', content: text('a'), model: 'm' }, 'role'],
    [{ role: 'assistant', content: 'Paris', model: 'm' }, 'type "Paris"'],
  ])('%j is refused', (result, problem) => {
    expect(validateResult(result)).toContain(problem);
  });

  const tools = [{ name: 'weather', inputSchema: { type: 'object' } }];
  const used = (content: unknown, role = 'assistant') => ({
    role,
    content,
    model: 'm',
    stopReason: 'toolUse',
  });
  it.each([
    [used(use), { tools }],
    [used([text('wait'), use, { ...use, id: 'u2' }]), { tools, toolChoice: { mode: 'required' } }],
    [used(text('no')), {}],
    // Models make up tools; the answer to the use says that they do not exist.
    [used({ ...use, name: 'delete' }), { tools }],
  ])('%j is one to a request with %j', (result, more) => {
    expect(validateResult(result, asked(more) as never)).toBeUndefined();
  });

  it.each([
    [used(use), {}, 'was not allowed'],
    [used(use), { tools, toolChoice: { mode: 'none' } }, 'was not allowed'],
    [used([use, use]), { tools }, 'two tool uses "u1"'],
    [used(use, 'user'), { tools }, 'only the assistant'],
    [used(answer), { tools }, "the server's to give"],
  ])('%j is invalid for a request with %j', (result, more, problem) => {
    expect(validateResult(result, asked(more) as never)).toContain(problem);
  });

  it('is checked in one pass, however many tools it uses', () => {
    let reads = 0;
    const uses = Array.from({ length: 1_000 }, (_, index) => ({
      ...use,
      get id() {
        reads += 1;
        return `u${index}`;
      },
    }));
    expect(validateResult(used(uses as never), asked({ tools }) as never)).toBeUndefined();
    expect(reads).toBeLessThan(5_000);
  });

  it('that is broken ends the question in INVALID_ANSWER', async () => {
    const { offerMethod } = await import('@rxmcp/core');
    const { defineOffer } = await import('@rxmcp/core/internal');
    const broken = defineOffer({
      ...offerMethod('sampling/createMessage', {}, () => ({ content: 'Paris' })),
      capabilities: { sampling: {} },
    });
    const params: CreateMessageParams = { messages: [{ role: 'user', content: text('?') }], maxTokens: 5 };
    const { run } = await pair(
      '2025-11-25',
      async (ctx) => {
        const error = await sample(ctx, 'k', params).catch((failure: unknown) => failure);
        return { code: (error as { code: unknown }).code };
      },
      { client: [broken] },
    );
    expect(await run()).toMatchObject({ code: 'INVALID_ANSWER' });
  });
});

describe('a request that a client refuses', () => {
  it('has tools that were not declared', async () => {
    const model = () => ({ role: 'assistant' as const, content: text('a'), model: 'm' });
    const offer = offerSampling(model, { approve: 'dangerouslyAlways' });
    const handle = () => offer.methods?.[0]?.handle(asked({ tools: [] }), {} as never);
    expect(handle).toThrow(/did not declare sampling.tools/);
  });

  it('is never sent by a server with wrong parameters', async () => {
    await expect(sample({} as never, 'k', { messages: [], maxTokens: -1 })).rejects.toThrow(TypeError);
  });
});
