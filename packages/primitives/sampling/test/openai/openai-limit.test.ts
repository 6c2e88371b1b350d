import type { Context, JsonObject } from '@rxmcp/core';
import { text } from '@rxmcp/core';
import { describe, expect, it } from 'vitest';
import type { CreateMessageParams, CreateMessageResult, OpenAiOptions } from '../../src/index.js';
import { openAiModel, messageText, getTokenUsage } from '../../src/index.js';
import { endpoint, said } from './endpoint.js';

const asked = (more: Partial<CreateMessageParams> = {}): CreateMessageParams => ({
  messages: [{ role: 'user', content: text('Count.') }],
  maxTokens: 4,
  ...more,
});

async function completed(
  answer: JsonObject,
  params = asked(),
  options: Partial<OpenAiOptions> = {},
): Promise<{ result: CreateMessageResult; body: JsonObject }> {
  const { baseUrl, heard } = await endpoint(200, answer);
  const model = openAiModel({ baseUrl, model: 'tiny', ...options });
  const ctx = { signal: new AbortController().signal } as Context;
  const result = await (model(params, ctx) as Promise<CreateMessageResult>);
  return { result, body: heard[0]!.body };
}

const used = (completion: number, details: JsonObject = {}): JsonObject => ({
  usage: { prompt_tokens: 7, completion_tokens: completion, ...details },
});

describe('the limit of tokens', () => {
  it('is enforced for an endpoint that ignores it', async () => {
    const { result } = await completed({ ...said('one two three four five six seven eight'), ...used(8) });
    expect(result).toMatchObject({ content: text('one two three four'), stopReason: 'maxTokens' });
  });

  it('counts what the endpoint counts: a word may be several tokens', async () => {
    const { result } = await completed({ ...said('one two three four'), ...used(8) });
    expect(messageText(result)).toBe('one two');
  });

  it('counts words where the endpoint does not count', async () => {
    const { result } = await completed(said('eins, zwei; drei: vier! fünf'));
    expect(result).toMatchObject({ content: text('eins, zwei; drei: vier!'), stopReason: 'maxTokens' });
  });

  it('counts the characters of a script without spaces where the endpoint does not count', async () => {
    const { result } = await completed(said('山谷里有河流'));
    expect(result).toMatchObject({ content: text('山谷里有'), stopReason: 'maxTokens' });
  });

  it.each([
    [18_000, 53_999 + 1],
    [9_000, 26_999],
  ])('of %i tokens is kept in a long answer', async (maxTokens, length) => {
    const prose = 'lorem ipsum dolor '.repeat(3_000);
    const { result } = await completed({ ...said(prose), ...used(18_000) }, asked({ maxTokens }));
    expect(messageText(result)).toBe(prose.slice(0, length));
  });

  it('leaves alone what keeps to it, and what was thought besides', async () => {
    const thought = { completion_tokens_details: { reasoning_tokens: 100 } };
    const { result } = await completed({ ...said('one two'), ...used(102, thought) });
    expect(result).toMatchObject({ content: text('one two'), stopReason: 'endTurn' });
    expect(getTokenUsage(result)).toEqual({ inputTokens: 7, outputTokens: 102 });
  });

  it('rejects longer tool uses', async () => {
    const call = { id: 'c', type: 'function', function: { name: 'add', arguments: '{}' } };
    const message = { role: 'assistant', content: null, tool_calls: [call] };
    const answer = { ...said('', { message, finish_reason: 'tool_calls' }), ...used(9) };
    await expect(completed(answer)).rejects.toMatchObject({
      code: 'MODEL_INVALID_RESPONSE',
      message: 'the response has 9 tokens, more than the limit of 4',
    });
  });
});

describe("a server's metadata", () => {
  it('is not sent unless the client maps it', async () => {
    const { body } = await completed(said('a'), asked({ metadata: { user: 'u' } }));
    expect(body).not.toHaveProperty('user');
    expect(body).not.toHaveProperty('metadata');
  });

  it('becomes members of the request that replace none', async () => {
    const { body } = await completed(
      said('a'),
      asked({ metadata: { user: 'u', model: 'dear', max_tokens: 9 } }),
      {
        metadata: (metadata) => ({ ...metadata, seed: 1 }),
      },
    );
    expect(body).toMatchObject({ user: 'u', seed: 1, model: 'tiny', max_tokens: 4 });
  });
});
