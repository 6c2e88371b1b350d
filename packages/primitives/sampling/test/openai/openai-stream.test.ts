import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from '@rxmcp/core';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CreateMessageParams, CreateMessageResult, OpenAiOptions } from '../../src/index.js';
import { getTokenUsage, ModelError, openAiModel } from '../../src/index.js';
import { streamedResponse } from '../../src/openai/openai-stream.js';
import { endpoint, said } from './endpoint.js';

const params: CreateMessageParams = { messages: [{ role: 'user', content: text('Hi') }], maxTokens: 50 };

interface Streamed {
  readonly baseUrl: string;
  readonly bodies: unknown[];
  /** Resolves when the connection of a request has ended. */
  readonly closed: Promise<void>;
}

/** An endpoint that streams these pieces. `then` says how the stream ends. */
async function streaming(
  pieces: readonly string[],
  then: 'end' | 'break off' | 'hang' = 'end',
): Promise<Streamed> {
  const bodies: unknown[] = [];
  let wasClosed = (): void => undefined;
  const closed = new Promise<void>((resolve) => (wasClosed = resolve));
  const server = createServer((request, response) => {
    response.on('close', wasClosed);
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      bodies.push(JSON.parse(body));
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
      for (const piece of pieces) response.write(piece);
      if (then === 'end') response.end();
      // What was written must arrive first.
      if (then === 'break off') response.write('', () => response.destroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}/v1`, bodies, closed };
}

async function complete(
  baseUrl: string,
  options: Partial<OpenAiOptions> = {},
): Promise<{ result: CreateMessageResult; texts: string[] }> {
  const texts: string[] = [];
  const onText = (piece: string): void => void texts.push(piece);
  const result = await openAiModel({ baseUrl, model: 'tiny', ...options })(params, { onText });
  return { result, texts };
}

const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const delta = (part: unknown, finish: string | null = null): string =>
  event({ model: 'tiny-2', choices: [{ index: 0, delta: part, finish_reason: finish }] });
const call = (index: number | undefined, part: object, id?: string): string =>
  delta({
    tool_calls: [
      { ...(index === undefined ? {} : { index }), ...(id === undefined ? {} : { id }), function: part },
    ],
  });

describe('a streamed answer', () => {
  it('arrives in pieces, and is complete in the end', async () => {
    const { baseUrl, bodies } = await streaming([
      ': keep-alive\n\n',
      delta({ role: 'assistant', content: '' }),
      delta({ content: 'Par' }),
      delta({ content: 'is.' }),
      delta({}, 'stop'),
      event({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 3, cost: 0.25 } }),
      'data: [DONE]\n\n',
    ]);
    const { result, texts } = await complete(baseUrl);
    expect(texts).toEqual(['Par', 'is.']);
    expect(result).toEqual({
      role: 'assistant',
      content: text('Paris.'),
      model: 'tiny-2',
      stopReason: 'endTurn',
    });
    expect(getTokenUsage(result)).toEqual({ inputTokens: 7, outputTokens: 3, cost: 0.25 });
    expect(bodies).toMatchObject([{ stream: true, stream_options: { include_usage: true } }]);
  });

  it('puts the pieces of tool uses together', async () => {
    const { baseUrl } = await streaming([
      delta({ content: 'Let me see.' }),
      call(0, { name: 'add', arguments: '' }, 'a'),
      call(1, { name: 'now', arguments: '' }, 'b'),
      call(0, { arguments: '{"x":' }),
      call(0, { arguments: '1}' }),
      delta({}, 'tool_calls'),
    ]);
    const { result } = await complete(baseUrl);
    expect(result.content).toEqual([
      text('Let me see.'),
      { type: 'tool_use', id: 'a', name: 'add', input: { x: 1 } },
      { type: 'tool_use', id: 'b', name: 'now', input: {} },
    ]);
    expect(result.stopReason).toBe('toolUse');
  });

  it('may have whole tool uses without an index, with arguments that are an object', async () => {
    const { baseUrl } = await streaming([
      call(undefined, { name: 'add', arguments: { x: 1 } }, 'a'),
      call(undefined, { name: 'add', arguments: '{"x":2}' }, 'b'),
      delta({}, 'stop'),
    ]);
    const { result } = await complete(baseUrl);
    expect(result.content).toEqual([
      { type: 'tool_use', id: 'a', name: 'add', input: { x: 1 } },
      { type: 'tool_use', id: 'b', name: 'add', input: { x: 2 } },
    ]);
  });

  it('may come whole, as JSON', async () => {
    const { baseUrl } = await endpoint(200, said('Paris.'));
    const { result, texts } = await complete(baseUrl);
    expect(result.content).toEqual(text('Paris.'));
    expect(texts).toEqual([]);
  });

  it.each([
    [
      'breaks off',
      [delta({ content: 'Par' })],
      'break off',
      'MODEL_UNREACHABLE',
      /^the response .* broke off$/,
    ],
    ['ends early', [delta({ content: 'Par' })], 'end', 'MODEL_UNREACHABLE', /ended without a reason/],
    ['is no JSON', ['data: {"choices"\n\n'], 'end', 'MODEL_INVALID_RESPONSE', /not valid JSON/],
    ['is no object', ['data: 7\n\n'], 'end', 'MODEL_INVALID_RESPONSE', /not a JSON object/],
    [
      'reports an error',
      [delta({ content: 'P' }), event({ error: { message: 'out of memory, key s3cret' } })],
      'end',
      'MODEL_INVALID_RESPONSE',
      /: out of memory, key \*\*\*$/,
    ],
    ['is too large', [delta({ content: 'P'.repeat(5_000) })], 'hang', 'MODEL_INVALID_RESPONSE', /4096 bytes/],
  ] as const)('that %s is an error', async (_what, pieces, then, code, message) => {
    const { baseUrl } = await streaming(pieces, then);
    const error = await complete(baseUrl, { apiKey: 's3cret', maxResponseBytes: 4_096 }).catch(
      (e: unknown) => e,
    );
    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
  });

  it('is cancelled at the endpoint', async () => {
    const { baseUrl, closed } = await streaming([delta({ content: 'Par' })], 'hang');
    const controller = new AbortController();
    const onText = (): void => controller.abort(new Error('enough'));
    const asked = openAiModel({ baseUrl, model: 'tiny' })(params, { signal: controller.signal, onText });
    await expect(asked).rejects.toThrow('enough');
    await closed;
  });

  it('is the same however it is cut', async () => {
    const whole = [
      delta({ content: 'Pa\u{1f5fc}r' }),
      delta({ content: 'is' }, 'stop'),
      'data: [DONE]\r\n',
    ].join('');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(whole.length)), async (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), whole.length];
        const texts = (async function* () {
          for (const [index, from] of at.entries()) yield whole.slice(from, at[index + 1]);
        })();
        const pieces: string[] = [];
        await streamedResponse(texts, (piece) => pieces.push(piece), String);
        expect(pieces).toEqual(['Pa\u{1f5fc}r', 'is']);
      }),
      { numRuns: 50 },
    );
  });
});

it.each([
  ['12', 12_000],
  ['soon', undefined],
  [undefined, undefined],
])('an error has the wait of Retry-After: %s', async (header, retryAfterMs) => {
  const fetch = (): Promise<Response> =>
    Promise.resolve(
      new Response('', { status: 429, headers: header === undefined ? {} : { 'retry-after': header } }),
    );
  const asked = openAiModel({ baseUrl: 'http://127.0.0.1:1/v1', model: 'tiny', fetch })(params);
  await expect(asked).rejects.toMatchObject({ status: 429, retryAfterMs, retryable: true });
});
