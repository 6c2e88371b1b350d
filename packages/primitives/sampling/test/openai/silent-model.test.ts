import type { Context } from '@rxmcp/core';
import { text } from '@rxmcp/core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { CreateMessageParams, CreateMessageResult, OpenAiOptions } from '../../src/index.js';
import { openAiModel } from '../../src/index.js';

const params: CreateMessageParams = {
  messages: [{ role: 'user', content: text('Anybody?') }],
  maxTokens: 50,
};

afterEach(() => void vi.useRealTimers());

async function complete(
  options: Partial<OpenAiOptions>,
  signal = new AbortController().signal,
): Promise<CreateMessageResult> {
  const model = openAiModel({ baseUrl: 'http://model.test/v1', model: 'tiny', ...options });
  return model(params, { signal } as Context) as Promise<CreateMessageResult>;
}

describe('a model that does not answer', () => {
  const silent: typeof globalThis.fetch = (_url, init) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error));
    });

  it('ends in MODEL_TIMEOUT', async () => {
    vi.useFakeTimers();
    const failed = expect(complete({ fetch: silent, totalTimeoutMs: 1_000 })).rejects.toMatchObject({
      code: 'MODEL_TIMEOUT',
    });
    await vi.advanceTimersByTimeAsync(1_000);
    await failed;
    expect(vi.getTimerCount()).toBe(0);
  });

  it('leaves no timer behind once it answered', async () => {
    vi.useFakeTimers();
    const answer = { choices: [{ message: { content: 'a' } }] };
    const prompt: typeof globalThis.fetch = async () => new Response(JSON.stringify(answer));
    expect(await complete({ fetch: prompt })).toMatchObject({ content: text('a'), model: 'tiny' });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is aborted when the request is withdrawn', async () => {
    const controller = new AbortController();
    const reason = new Error('withdrawn');
    const failed = expect(complete({ fetch: silent }, controller.signal)).rejects.toBe(reason);
    controller.abort(reason);
    await failed;
  });
});
