import type { Context } from '@rxmcp/core';
import { audio, image, text } from '@rxmcp/core';
import { describe, expect, expectTypeOf, it, vi } from 'vitest';
import type { CreateMessageParams, CreateMessageResult, OpenAiOptions } from '../../src/index.js';
import { openAiModel } from '../../src/index.js';
import { endpoint, said } from './endpoint.js';

const params: CreateMessageParams = {
  messages: [{ role: 'user', content: text('What is the capital of France?') }],
  maxTokens: 50,
};
async function complete(
  options: Partial<OpenAiOptions> & { baseUrl: string },
  asked = params,
  signal = new AbortController().signal,
): Promise<CreateMessageResult> {
  const model = openAiModel({ model: 'tiny', apiKey: 'secret-key', ...options });
  return model(asked, { signal } as Context) as Promise<CreateMessageResult>;
}

describe('a model behind a chat endpoint', () => {
  it('sends its requests and returns the answer', async () => {
    const { baseUrl, heard } = await endpoint(200, said('Paris.'));
    const asked: CreateMessageParams = {
      messages: [
        { role: 'user', content: [text('What is this?'), image('AAAA', 'image/png')] },
        { role: 'assistant', content: text('A tower.') },
        { role: 'user', content: text('Where?') },
      ],
      systemPrompt: 'Be short.',
      temperature: 2.5,
      stopSequences: ['END'],
      maxTokens: 50,
    };
    expect(await complete({ baseUrl }, asked)).toEqual({
      role: 'assistant',
      content: text('Paris.'),
      model: 'tiny-2',
      stopReason: 'endTurn',
    });
    const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
    expect(heard).toEqual([
      {
        path: '/v1/chat/completions',
        authorization: 'Bearer secret-key',
        body: {
          model: 'tiny',
          max_tokens: 50,
          temperature: 2.5,
          stop: ['END'],
          messages: [
            { role: 'system', content: 'Be short.' },
            { role: 'user', content: [{ type: 'text', text: 'What is this?' }, picture] },
            { role: 'assistant', content: 'A tower.' },
            { role: 'user', content: 'Where?' },
          ],
        },
      },
    ]);
  });

  it.each([
    [{ finish_reason: 'stop' }, 'endTurn'],
    [{ finish_reason: 'stop', stop_reason: 'END' }, 'stopSequence'],
    [{ finish_reason: 'length' }, 'maxTokens'],
    [{ finish_reason: 'content_filter' }, 'content_filter'],
    [{ finish_reason: null }, undefined],
  ])('reads %j as %s', async (more, stopReason) => {
    const { baseUrl } = await endpoint(200, said('a', more));
    const result = await complete({ baseUrl }, { ...params, stopSequences: ['END'] });
    expect(result.stopReason).toBe(stopReason);
  });

  it('can be called directly, without a context', async () => {
    const { baseUrl, heard } = await endpoint(200, said('Paris.'));
    const model = openAiModel({ model: 'tiny', baseUrl });
    const result = await model(params);
    expectTypeOf(result).toEqualTypeOf<CreateMessageResult>();
    expect(result).toMatchObject({ role: 'assistant', content: text('Paris.'), model: 'tiny-2' });
    expect(heard[0]?.body).toMatchObject({ model: 'tiny', max_tokens: 50 });
    expect([model.modelName, model.modelFor(params)]).toEqual(['tiny', 'tiny']);
    const { signal } = new AbortController();
    expect(await model(params, { signal })).toEqual(result);
    const aborted = model(params, { signal: AbortSignal.abort(new Error('enough')) });
    await expect(aborted).rejects.toThrow('enough');
    expect(heard).toHaveLength(2);
  });

  it.each([
    ['a text', '"messages" must be an array'],
    [{ messages: [] }, '"maxTokens" must be a positive integer'],
  ])('rejects malformed parameters of a direct call: %j', async (asked, problem) => {
    const { baseUrl, heard } = await endpoint(200, said('Paris.'));
    const called = openAiModel({ model: 'tiny', baseUrl })(asked as never);
    await expect(called).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      message: `openAiModel: ${problem}`,
    });
    expect(heard).toEqual([]);
  });

  it('can use the limit member of newer endpoints', async () => {
    const { baseUrl, heard } = await endpoint(200, said('a'));
    await complete({ baseUrl: `${baseUrl}/`, tokenLimitField: 'max_completion_tokens' });
    expect(heard[0]?.path).toBe('/v1/chat/completions');
    expect(heard[0]?.body).toMatchObject({ max_completion_tokens: 50 });
    expect(heard[0]?.body).not.toHaveProperty('max_tokens');
  });

  it.each([
    [401, false],
    [429, true],
    [503, true],
  ])('ends in MODEL_HTTP_ERROR for status %i, without the key', async (status, retryable) => {
    const { baseUrl } = await endpoint(status, { error: { message: 'wrong key secret-key' } });
    const message = `the model's endpoint answered ${status}: wrong key ***`;
    await expect(complete({ baseUrl })).rejects.toMatchObject({
      code: 'MODEL_HTTP_ERROR',
      status,
      retryable,
      message,
    });
  });

  it('shows no part of the key where the message is cut', async () => {
    const { baseUrl } = await endpoint(401, { error: { message: `${'x'.repeat(295)}secret-key` } });
    const message = `the model's endpoint answered 401: ${'x'.repeat(295)}***`;
    await expect(complete({ baseUrl })).rejects.toMatchObject({ message });
  });

  it.each(['<html>', {}, { choices: [] }, said(null as never)])(
    'ends in MODEL_INVALID_RESPONSE for %j',
    async (answer) => {
      const { baseUrl } = await endpoint(200, answer);
      await expect(complete({ baseUrl })).rejects.toMatchObject({
        code: 'MODEL_INVALID_RESPONSE',
        retryable: false,
      });
    },
  );

  it('reads no more than its limit', async () => {
    const { baseUrl } = await endpoint(200, said('x'.repeat(5_000)));
    const tooLarge = complete({ baseUrl, maxResponseBytes: 1_000 });
    await expect(tooLarge).rejects.toMatchObject({ code: 'MODEL_INVALID_RESPONSE', message: /1000 bytes/ });
  });

  it('fails with MODEL_UNREACHABLE where no endpoint listens', async () => {
    const { baseUrl, close } = await endpoint(200, '');
    close();
    await expect(complete({ baseUrl })).rejects.toMatchObject({ code: 'MODEL_UNREACHABLE', retryable: true });
  });

  it('follows no redirect, which could send the key elsewhere', async () => {
    const target = await endpoint(200, said('a'));
    const fetch = vi.fn(globalThis.fetch);
    await complete({ baseUrl: target.baseUrl, fetch });
    expect(fetch.mock.lastCall?.[1]).toMatchObject({ redirect: 'error' });
  });

  it('rejects unsupported content before anything is sent', async () => {
    const { baseUrl, heard } = await endpoint(200, said('a'));
    const spoken = { ...params, messages: [{ role: 'user' as const, content: audio('AAAA', 'audio/flac') }] };
    await expect(complete({ baseUrl }, spoken)).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
    expect(heard).toEqual([]);
  });
});

describe('a key', () => {
  const model = (baseUrl: string, more: Partial<OpenAiOptions> = {}): (() => unknown) => {
    return () => openAiModel({ baseUrl, model: 'tiny', apiKey: 'secret-key', ...more });
  };

  it.each(['http://models.example.com/v1', 'http://192.0.2.1:80/v1', 'http://localhost.example.com/v1'])(
    'is not sent in the open to another machine: %s',
    (baseUrl) => {
      expect(model(baseUrl)).toThrow(TypeError);
      expect(model(baseUrl)).toThrow(/plain HTTP to ".*dangerouslyAllowInsecureCredentials/);
      expect(model(baseUrl)).not.toThrow(/secret-key/);
    },
  );

  it('is sent there with an explicit option; without a key every request may be sent', () => {
    expect(
      model('http://models.example.com/v1', { dangerouslyAllowInsecureCredentials: true }),
    ).not.toThrow();
    expect(model('http://models.example.com/v1', { apiKey: '' })).not.toThrow();
  });

  it.each(['https://models.example.com/v1', 'http://localhost:1/v1', 'http://a.localhost/v1'])(
    'is sent to %s',
    (baseUrl) => expect(model(baseUrl)).not.toThrow(),
  );

  it.each(['http://127.8.9.1:1/v1', 'http://[::1]:1/v1'])('is sent to %s', (baseUrl) =>
    expect(model(baseUrl)).not.toThrow(),
  );
});
