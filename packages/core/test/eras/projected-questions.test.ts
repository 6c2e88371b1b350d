import { describe, expect, it } from 'vitest';
import type { Ask } from '../../src/contract/ask.js';
import { sendAsk } from '../../src/internal.js';
import type { Frame } from '../rig/pipe.js';
import { legacy, speaking } from '../rig/revisions.js';
import { turn } from '../rig/turn.js';

const needs = { elicitation: {}, sampling: {} };
// More than old clients declare, so that the revision alone decides.
const capabilities = { elicitation: { form: {}, url: {} }, sampling: { tools: {}, context: {} }, roots: {} };

/** What a client of a revision is asked when a handler asks this, or why it is not. */
async function asked(version: string, ask: Ask): Promise<{ question?: Frame; error?: Frame['error'] }> {
  const { client } = await speaking(
    version,
    { 'tools/call': (_params, ctx) => sendAsk(ctx, 'k', ask) },
    capabilities,
  );
  client.put({ jsonrpc: '2.0', id: 'call', method: 'tools/call', params: {} });
  const frames = await client.take();
  const question = frames.find(({ method }) => method === ask.method);
  const error = frames.find(({ id }) => id === 'call')?.error;
  return { ...(question === undefined ? {} : { question }), ...(error === undefined ? {} : { error }) };
}

const paramsOf = async (version: string, ask: Ask): Promise<Record<string, unknown>> => {
  const { _meta, ...params } = (await asked(version, ask)).question?.params ?? {};
  expect(_meta).toHaveProperty('progressToken');
  return params;
};
const refusal = async (version: string, ask: Ask): Promise<unknown> => {
  const { question, error } = await asked(version, ask);
  expect(question).toBeUndefined();
  return error;
};
const refused = (...words: string[]) => ({
  code: -31002,
  message: expect.stringMatching(words.join('.*')) as unknown,
});

describe('a form', () => {
  const form = (properties: object, required: string[] = []): Ask => ({
    method: 'elicitation/create',
    params: {
      mode: 'form',
      message: 'm',
      requestedSchema: { $schema: 's', type: 'object', properties, required },
    },
    needs,
  });
  const titled = {
    type: 'string',
    title: 'C',
    oneOf: [
      { const: 'a', title: 'A' },
      { const: 'b', title: 'B' },
    ],
    default: 'a',
  };
  const fields = {
    text: { type: 'string', minLength: 1, default: 'x' },
    number: { type: 'integer', maximum: 5, default: 3 },
    sure: { type: 'boolean', default: true },
    plain: { type: 'string', enum: ['a', 'b'], default: 'a' },
    old: { type: 'string', enum: ['a'], enumNames: ['A'] },
    titled,
    several: { type: 'array', items: { type: 'string', enum: ['a'] } },
  };

  it('is sent to 2025-11-25 as it is', async () => {
    const ask = form(fields, ['text', 'several']);
    expect(await paramsOf('2025-11-25', ask)).toEqual(ask.params);
  });

  it('is sent to 2025-06-18 in its form, without optional members that it does not have', async () => {
    expect(await paramsOf('2025-06-18', form(fields, ['text']))).toEqual({
      message: 'm',
      requestedSchema: {
        type: 'object',
        properties: {
          text: { type: 'string', minLength: 1 },
          number: { type: 'integer', maximum: 5 },
          sure: { type: 'boolean', default: true },
          plain: { type: 'string', enum: ['a', 'b'] },
          old: { type: 'string', enum: ['a'], enumNames: ['A'] },
          titled: { type: 'string', title: 'C', enum: ['a', 'b'], enumNames: ['A', 'B'] },
        },
        required: ['text'],
      },
    });
  });

  it('that cannot be filled in 2025-06-18 is not shown there', async () => {
    expect(await refusal('2025-06-18', form(fields, ['several']))).toMatchObject(
      refused('2025-06-18', 'multiple-choice', 'several'),
    );
  });

  it.each(legacy.slice(0, 2))('is unknown to %s', async (version) => {
    expect(await refusal(version, form({}))).toMatchObject(refused('elicitation/create', version));
  });
});

describe('a conversation with a model', () => {
  const text = { type: 'text', text: 'a' };
  const image = { type: 'image', data: 'AAAA', mimeType: 'image/png', _meta: { x: 1 } };
  const sampling = (params: object): Ask => ({
    method: 'sampling/createMessage',
    params: { maxTokens: 1, ...params },
    needs,
  });
  const user = (content: unknown, more: object = {}) => ({ role: 'user', content, ...more });

  it('has one block in each message before 2025-11-25', async () => {
    const messages = [user([text, image], { _meta: { y: 1 } }), user(text)];
    const ask = sampling({ messages, temperature: 1 });
    expect(await paramsOf('2025-11-25', ask)).toEqual(ask.params);
    expect(await paramsOf('2025-06-18', ask)).toEqual({
      maxTokens: 1,
      temperature: 1,
      messages: [user(text), user(image), user(text)],
    });
    const { _meta, ...plain } = image;
    for (const version of legacy.slice(0, 2))
      expect((await paramsOf(version, ask)).messages).toEqual([user(text), user(plain), user(text)]);
  });

  it.each<[string, object]>([
    ['tools', { messages: [user(text)], tools: [{ name: 't', inputSchema: { type: 'object' } }] }],
    ['toolChoice', { messages: [user(text)], toolChoice: { mode: 'none' } }],
    [
      'tool_use',
      { messages: [{ role: 'assistant', content: { type: 'tool_use', id: '1', name: 't', input: {} } }] },
    ],
    ['tool_result', { messages: [user([{ type: 'tool_result', toolUseId: '1', content: [] }])] }],
  ])('with %s is for 2025-11-25', async (_what, params) => {
    expect(await paramsOf('2025-11-25', sampling(params))).toMatchObject(params);
    for (const version of legacy.slice(0, 3))
      expect(await refusal(version, sampling(params))).toMatchObject(refused(version, 'tools'));
  });

  it('with sound is for 2025-03-26 and later', async () => {
    const messages = [user({ type: 'audio', data: 'AAAA', mimeType: 'audio/wav' })];
    expect(await refusal('2024-11-05', sampling({ messages }))).toMatchObject(refused('2024-11-05', 'sound'));
    for (const version of legacy.slice(1))
      expect((await paramsOf(version, sampling({ messages }))).messages).toEqual(messages);
  });

  it.each([false, true])(
    'sends non-object structured content as text in 2025-11-25; in a list: %s',
    async (listed) => {
      const answer = { type: 'tool_result', toolUseId: '1', content: [] };
      const given = { ...answer, structuredContent: [1] };
      const told = { ...answer, content: [{ type: 'text', text: '[1]' }] };
      const messages = [user(listed ? [given] : given), user(text)];
      const sent = (await paramsOf('2025-11-25', sampling({ messages }))).messages;
      expect(sent).toEqual([user(listed ? [told] : told), user(text)]);
    },
  );
});

it.each(legacy)('roots can be asked of %s', async (version) => {
  expect(await paramsOf(version, { method: 'roots/list', needs: { roots: {} } })).toEqual({});
  await turn();
});
