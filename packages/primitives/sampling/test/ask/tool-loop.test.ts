import type { JsonObject, StandardSchema } from '@rxmcp/core';
import { RxmcpError, offerMethod, text } from '@rxmcp/core';
import { defineOffer } from '@rxmcp/core/internal';
import { of } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import type {
  Approve,
  CreateMessageParams,
  SamplingModel,
  SamplingTool,
  SampleWithToolsParams,
} from '../../src/index.js';
import { contentBlocks, offerSampling, sampleWithTools, samplingTool, messageText } from '../../src/index.js';
import { pair } from '../pair.js';

const revisions = ['2026-07-28', '2025-11-25'] as const;

const use = (id: string, name: string, input: JsonObject = {}) =>
  ({ type: 'tool_use', id, name, input }) as const;
const answer = (
  content: ReturnType<typeof use> | readonly ReturnType<typeof use>[] | ReturnType<typeof text>,
) => ({
  role: 'assistant' as const,
  content,
  model: 'stand-in',
});
/** Uses the tools of one turn after the other, then says what the last results were. */
const model = (turns: readonly (readonly ReturnType<typeof use>[])[]) =>
  vi.fn<SamplingModel>(({ messages }: CreateMessageParams) => {
    const turn = turns[messages.filter(({ role }) => role === 'assistant').length];
    if (turn !== undefined) return answer(turn);
    const last = messages.at(-1);
    const said = last === undefined ? [] : contentBlocks(last);
    return answer(
      text(said.map((block) => (block.type === 'tool_result' ? JSON.stringify(block.content) : '')).join()),
    );
  });

const talking = (
  version: string,
  completing: SamplingModel,
  tools: readonly SamplingTool[],
  more: Partial<SampleWithToolsParams> = {},
  approve: Approve | 'dangerouslyAlways' = 'dangerouslyAlways',
) =>
  pair(
    version,
    async (ctx) => {
      const messages = [{ role: 'user' as const, content: text('Rain?') }];
      const done = await sampleWithTools(ctx, 'talk', { messages, maxTokens: 9, tools, ...more });
      return { said: messageText(done), turns: done.messages };
    },
    { client: [offerSampling(completing, { approve, tools: true })] },
  );

describe.each(revisions)('a conversation with tools at %s', (version) => {
  it('answers each use, runs each tool once, and ends with the completion of the model', async () => {
    const weather = vi.fn(({ city }: JsonObject) => `rain in ${String(city)}`);
    const asked = model([
      [use('a', 'weather', { city: 'Paris' }), use('b', 'weather', { city: 'Rome' })],
      [use('a', 'clock')],
    ]);
    const clock = samplingTool('clock', {}, () => of([text('noon')]));
    const { run } = await talking(version, asked, [samplingTool('weather', {}, weather), clock]);
    expect(await run()).toMatchObject({
      said: JSON.stringify([text('noon')]),
      turns: [
        { role: 'user' },
        { role: 'assistant', content: [{ id: 'a' }, { id: 'b' }] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', toolUseId: 'a', content: [text('rain in Paris')] },
            { type: 'tool_result', toolUseId: 'b', content: [text('rain in Rome')] },
          ],
        },
        { role: 'assistant' },
        { role: 'user' },
        { role: 'assistant' },
      ],
    });
    expect(weather).toHaveBeenCalledTimes(2);
    expect(asked).toHaveBeenCalledTimes(3);
    expect(asked.mock.calls[0]?.[0].tools).toEqual([
      { name: 'weather', inputSchema: { type: 'object' } },
      { name: 'clock', inputSchema: { type: 'object' } },
    ]);
  });

  it('sends the model the kind of error, and reports the details to the server', async () => {
    const broken = samplingTool('broken', {}, () => {
      throw new Error('secret path');
    });
    const asked = model([[use('a', 'broken'), use('b', 'strict', { n: 'x' }), use('c', 'made up')]]);
    const strict = samplingTool('strict', { input: numbers }, () => 'never');
    const { run, serverFaults } = await talking(version, asked, [broken, strict]);
    const { said } = await run();
    expect(said).toContain('the tool \\"broken\\" failed');
    expect(said).toContain('there is no tool \\"made up\\"');
    expect(said).toContain('n: is no number');
    expect(said).not.toContain('secret path');
    expect(serverFaults).toMatchObject([{ code: 'HANDLER_FAILED', cause: { message: 'secret path' } }]);
  });

  it('forces a tool in the first turn only, and none in the last', async () => {
    const asked = model([[use('a', 't')], [use('b', 't')]]);
    const { run } = await talking(version, asked, [samplingTool('t', {}, () => 'ok')], {
      maxRounds: 3,
      toolChoice: { mode: 'required' },
    });
    await run();
    expect(asked.mock.calls.map(([{ toolChoice }]) => toolChoice?.mode)).toEqual([
      'required',
      undefined,
      'none',
    ]);
  });

  it('ends where the model keeps using tools', async () => {
    const careless = defineOffer({
      ...offerMethod('sampling/createMessage', {}, () => answer(use('a', 't'))),
      capabilities: { sampling: { tools: {} } },
    });
    const ran = vi.fn(() => 'ok');
    const { run } = await pair(
      version,
      async (ctx) => {
        const params = { messages: [], maxTokens: 9, tools: [samplingTool('t', {}, ran)], maxRounds: 2 };
        const error = await sampleWithTools(ctx, 'talk', params).catch((failure: unknown) => failure);
        if (RxmcpError.is(error, 'ASK_SUSPENDED')) throw error;
        const { code, message } = error as RxmcpError;
        return { code, message };
      },
      { client: [careless] },
    );
    expect(await run()).toMatchObject({
      code: 'INVALID_ANSWER',
      message: expect.stringContaining('was not allowed') as string,
    });
    expect(ran).toHaveBeenCalledTimes(1);
  });

  it('shows the user each turn', async () => {
    const approve = vi.fn<Approve>(() => ({ action: 'approve' }));
    const asked = model([[use('a', 't')]]);
    const { run } = await talking(version, asked, [samplingTool('t', {}, () => 'ok')], {}, approve);
    await run();
    expect(approve.mock.calls.map(([{ stage }]) => stage)).toEqual([
      'request',
      'completion',
      'request',
      'completion',
    ]);
  });

  it('is not begun with a client that declares no tools', async () => {
    const { run } = await pair(
      version,
      async (ctx) => {
        const messages = [{ role: 'user' as const, content: text('Rain?') }];
        const params = { messages, maxTokens: 9, tools: [samplingTool('t', {}, () => 'ok')] };
        const error = await sampleWithTools(ctx, 'k', params).catch((failure: unknown) => failure);
        const { code, data } = error as { code: unknown; data: unknown };
        return { code, data } as JsonObject;
      },
      { client: [offerSampling(model([]), { approve: 'dangerouslyAlways' })] },
    );
    expect(await run()).toMatchObject({
      code: 'ASK_UNAVAILABLE',
      data: { requiredCapabilities: { sampling: { tools: {} } } },
    });
  });
});

describe('a sampling tool', () => {
  const broken = { type: 'image', data: '!!not base64', mimeType: 'a/b' } as const;
  it.each([
    ['a text', 'ok', [text('ok')]],
    ['a block', text('ok'), [text('ok')]],
    ['blocks', [text('a'), text('b')], [text('a'), text('b')]],
    ['all of it', { content: [text('a')], isError: true }, [text('a')]],
  ])('may return %s', async (_what, value, content) => {
    const ctx = { signal: new AbortController().signal } as never;
    const made = samplingTool('t', {}, () => value);
    expect(await made.answer(use('a', 't'), ctx)).toMatchObject({ toolUseId: 'a', content });
  });

  it.each([[{}], [[1]], [undefined], [broken], [[text('a'), broken]]])(
    'fails when it returns %j',
    async (value) => {
      const ctx = { signal: new AbortController().signal } as never;
      const made = samplingTool('t', {}, () => value as never);
      expect(await made.answer(use('a', 't'), ctx)).toMatchObject({ isError: true });
    },
  );

  it('describes its input as JSON Schema', () => {
    const raw = { type: 'object', properties: { n: { type: 'number' } } };
    expect(samplingTool('t', { input: raw, description: 'D' }, () => '').definition).toEqual({
      name: 't',
      description: 'D',
      inputSchema: raw,
    });
    expect(samplingTool('t', { input: numbers }, () => '').definition.inputSchema).toEqual(raw);
  });
});

const json = () => ({ type: 'object', properties: { n: { type: 'number' } } });
const numbers: StandardSchema<{ n: number }> = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: (value) =>
      typeof (value as JsonObject).n === 'number'
        ? { value: value as { n: number } }
        : { issues: [{ message: 'is no number', path: ['n'] }] },
    jsonSchema: { input: json, output: json },
  },
};
