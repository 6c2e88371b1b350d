import { text } from '@rxmcp/core';
import { describe, expect, it, vi } from 'vitest';
import type { Approve, CreateMessageParams, SamplingModel } from '../../src/index.js';
import { offerSampling, sample, messageText } from '../../src/index.js';
import { asking, completion, request } from '../sampling-requests.js';
import { pair } from '../pair.js';

const model: SamplingModel = ({ messages }) => completion(messages.map(messageText).join('|'));
const wanting = request({ includeContext: 'allServers' });

describe('context for a model', () => {
  it('is given by a function of the client, and a user sees it first', async () => {
    const approve = vi.fn<Approve>(() => ({ action: 'approve' }));
    const source = vi.fn(async () => 'Lyon is not it.');
    const said = await asking(model, { context: source, approve })(wanting);
    expect(source.mock.calls[0]).toMatchObject(['allServers', { method: 'sampling/createMessage' }]);
    expect(messageText(said)).toBe('Context (allServers):\nLyon is not it.\nWhat is the capital of France?');
    const shown = approve.mock.calls[0]?.[0].params as CreateMessageParams;
    expect(messageText(shown.messages[0]!)).toContain('Lyon');
    expect(shown).not.toHaveProperty('includeContext');
  });

  it('is cut at its limit, and not within a character', async () => {
    const ask = asking(model, { context: () => 'ab\u{1F600}cd', maxContextChars: 3 });
    expect(messageText(await ask(wanting))).toContain('allServers):\nab\n(cut)');
  });

  it.each([undefined, 'none'] as const)('is not asked for by includeContext %s', async (includeContext) => {
    const source = vi.fn(() => 'known');
    const params = includeContext === undefined ? request() : request({ includeContext });
    await asking(model, { context: source })(params);
    expect(source).not.toHaveBeenCalled();
  });

  it('may be empty', async () => {
    const ask = asking(model, { context: () => undefined });
    expect(messageText(await ask(wanting))).toBe('What is the capital of France?');
  });

  it('is alone where the first message is not one of the user', async () => {
    const messages = [
      { role: 'assistant', content: text('Hello.') },
      { role: 'user', content: text('Hi.') },
    ] as const;
    const ask = asking(model, { context: () => 'known' });
    expect(messageText(await ask({ ...wanting, messages }))).toBe('Context (allServers):\nknown|Hello.|Hi.');
  });

  it('is off unless the client declares it', async () => {
    const seen = vi.fn(model);
    await asking(seen)(wanting);
    expect(seen.mock.calls[0]?.[0]).toEqual(request());
  });

  it('comes for a server that asks a client which declares it', async () => {
    const offer = offerSampling(model, { approve: 'dangerouslyAlways', context: () => 'known' });
    expect(offer.capabilities).toEqual({ sampling: { context: {} } });
    const { run } = await pair(
      '2026-07-28',
      async (ctx) => ({ said: messageText(await sample(ctx, 'a', wanting)) }),
      {
        client: [offer],
      },
    );
    expect(await run()).toMatchObject({ said: expect.stringContaining('known') as string });
  });
});

describe('tools of a model, in a loop', () => {
  const turns = (count: number): CreateMessageParams['messages'] => [
    ...request().messages,
    ...Array.from({ length: count }, (_, at) => [
      { role: 'assistant', content: { type: 'tool_use', id: `u${at}`, name: 'look', input: {} } } as const,
      { role: 'user', content: { type: 'tool_result', toolUseId: `u${at}`, content: [] } } as const,
    ]).flat(),
  ];
  const tools = [{ name: 'look', inputSchema: { type: 'object' } }];

  it.each([
    [25, {}],
    [2, { maxToolTurns: 2 }],
  ])('end after %i turns', async (most, options) => {
    const ask = asking(model, { tools: true, ...options });
    await ask(request({ messages: turns(most), tools }));
    await expect(ask(request({ messages: turns(most + 1), tools }))).rejects.toMatchObject({
      code: 'ASK_REJECTED',
      message: `the request was rejected: more than ${most} turns of tools in a row`,
    });
  });

  it('begin anew at a message of the user', async () => {
    const messages = [...turns(2), { role: 'assistant', content: text('So.') } as const, ...turns(2)];
    await asking(model, { tools: true, maxToolTurns: 2 })(request({ messages, tools }));
  });
});
