import { text } from '@rxmcp/core';
import { describe, expect, it } from 'vitest';
import type { CreateMessageParams } from '../../src/index.js';
import {
  messageText,
  offerSampling,
  sample,
  sampleWithTools,
  samplingTool,
  trySample,
} from '../../src/index.js';
import { pair } from '../pair.js';

const params = { messages: [{ role: 'user' as const, content: text('A word?') }], maxTokens: 9 };

/** A client whose model answers 1, 2, 3 ... and uses the tool `t` first where it may. */
const counting = () => {
  let count = 0;
  const model = ({ tools, messages }: CreateMessageParams) => ({
    role: 'assistant' as const,
    model: 'counting',
    content:
      tools !== undefined && messages.length === 1
        ? ({ type: 'tool_use', id: 'u', name: 't', input: {} } as const)
        : text(String((count += 1))),
  });
  return { client: [offerSampling(model, { approve: 'dangerouslyAlways', tools: true })] };
};

describe.each(['2026-07-28', '2025-11-25', '2024-11-05'])('a sample that is repeated at %s', (version) => {
  it('asks again each time, until the completion is good', async () => {
    const { run } = await pair(
      version,
      async (ctx) => {
        let said: string;
        do said = messageText(await sample(ctx, 'word', params));
        while (Number(said) < 3);
        return { said };
      },
      counting(),
    );
    expect(await run()).toMatchObject({ said: '3' });
  });

  it('needs no key where order identifies it', async () => {
    const { run } = await pair(
      version,
      async (ctx) => {
        const first = await sample(ctx, params);
        const tried = await trySample(ctx, { ...params, maxTokens: 8 });
        return {
          first: messageText(first),
          second: tried.status === 'completed' && messageText(tried.result),
        };
      },
      counting(),
    );
    expect(await run()).toMatchObject({ first: '1', second: '2' });
  });

  it('is a TypeError with other parameters, which shows no prompt', async () => {
    const { run, serverFaults } = await pair(
      version,
      async (ctx) => {
        await sample(ctx, 'word', params);
        return { ...(await sample(ctx, 'word', { ...params, systemPrompt: 'private' })) };
      },
      counting(),
    );
    await expect(run()).rejects.toMatchObject({ code: -32603 });
    expect((serverFaults[0]?.cause as Error).message).toBe(
      'the key "word" is used twice in one run, for sampling/createMessage and for sampling/createMessage, which ' +
        'differ in "systemPrompt". Give each ask its own key',
    );
  });
});

describe.each(['2026-07-28', '2025-11-25'])('a conversation with tools that is repeated at %s', (version) => {
  it.each([['talk'], [undefined]])('is a new one, and uses its tools anew; key %s', async (key) => {
    let used = 0;
    const { run } = await pair(
      version,
      async (ctx) => {
        const tools = [samplingTool('t', {}, () => String((used += 1)))];
        const said: string[] = [];
        while (said.length < 2) said.push(messageText(await sampleWithTools(ctx, key, { ...params, tools })));
        return { said };
      },
      counting(),
    );
    expect(await run()).toMatchObject({ said: ['1', '2'] });
    expect(used).toBe(2);
  });

  it('is a TypeError with other tools', async () => {
    const { run, serverFaults } = await pair(
      version,
      async (ctx) => {
        await sampleWithTools(ctx, 'talk', { ...params, tools: [samplingTool('t', {}, () => '')] });
        return { ...(await sampleWithTools(ctx, 'talk', { ...params, tools: [] })) };
      },
      counting(),
    );
    await expect(run()).rejects.toMatchObject({ code: -32603 });
    expect(serverFaults[0]?.message).toContain('which differ in "tools"');
  });
});
