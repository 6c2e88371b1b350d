import type { JsonObject } from '@rxmcp/core';
import { RxmcpError, offerMethod, text } from '@rxmcp/core';
import { defineOffer } from '@rxmcp/core/internal';
import { describe, expect, it } from 'vitest';
import type { SampleWithToolsParams } from '../../src/index.js';
import { contentBlocks, sampleWithTools, samplingTool } from '../../src/index.js';
import { pair } from '../pair.js';

/** A model that uses so many tools in its first turn, and none where it is asked once more. */
const using = (count: number) =>
  defineOffer({
    ...offerMethod('sampling/createMessage', {}, (params) => {
      const { messages } = params as unknown as { messages: readonly unknown[] };
      const uses = Array.from({ length: count }, (_, at) => ({
        type: 'tool_use',
        id: `u${at}`,
        name: 't',
        input: { at },
      }));
      return { role: 'assistant', model: 'm', content: messages.length < 2 ? uses : text('done') };
    }),
    capabilities: { sampling: { tools: {} } },
  });

interface Talk {
  /** What ran, and the most that ran at a time. */
  readonly ran: number[];
  readonly most: () => number;
  readonly result: Promise<JsonObject>;
}

async function talk(version: string, count: number, more: Partial<SampleWithToolsParams>): Promise<Talk> {
  const ran: number[] = [];
  let [running, most] = [0, 0];
  const t = samplingTool('t', {}, async ({ at }) => {
    ran.push(at as number);
    most = Math.max(most, (running += 1));
    await new Promise((resolve) => setTimeout(resolve, 1));
    running -= 1;
    return String(at);
  });
  const { run } = await pair(
    version,
    async (ctx) => {
      const messages = [{ role: 'user' as const, content: text('?') }];
      try {
        const done = await sampleWithTools(ctx, 'k', { messages, maxTokens: 9, tools: [t], ...more });
        return { answers: contentBlocks(done.messages[2]!) };
      } catch (error) {
        if (RxmcpError.is(error, 'ASK_SUSPENDED')) throw error;
        const { code, message, data } = error as RxmcpError;
        return { code, message, data } as JsonObject;
      }
    },
    { client: [using(count)] },
  );
  return { ran, most: () => most, result: run() };
}

describe.each(['2026-07-28', '2025-11-25'] as const)('a turn with many uses of tools at %s', (version) => {
  it('of 10,000 runs none, and names the limit that it broke', async () => {
    const { ran, result } = await talk(version, 10_000, {});
    expect(await result).toMatchObject({
      code: 'INVALID_ANSWER',
      message:
        'sampleWithTools "k": the model uses 10000 tools in one turn, more than "maxToolUsesPerTurn" (64)',
      data: { limit: 'maxToolUsesPerTurn', max: 64, uses: 10_000 },
    });
    expect(ran).toEqual([]);
  });

  it('runs as many as are allowed, a few at a time and each once, and answers in their order', async () => {
    const { ran, most, result } = await talk(version, 64, {});
    const { answers } = (await result) as unknown as { answers: { toolUseId: string }[] };
    expect(answers.map(({ toolUseId }) => toolUseId)).toEqual(
      Array.from({ length: 64 }, (_, at) => `u${at}`),
    );
    expect(ran).toEqual(Array.from({ length: 64 }, (_, at) => at));
    expect(most()).toBe(8);
  });

  it('takes both limits from its caller', async () => {
    const { most, result } = await talk(version, 100, { maxToolUsesPerTurn: 100, maxConcurrentToolUses: 3 });
    expect(((await result) as { answers: unknown[] }).answers).toHaveLength(100);
    expect(most()).toBe(3);
    const refused = await talk(version, 2, { maxToolUsesPerTurn: 1 });
    expect(await refused.result).toMatchObject({ code: 'INVALID_ANSWER', data: { max: 1, uses: 2 } });
  });

  it.each([0, 1.5, Number.NaN])('a limit of %s is refused', async (value) => {
    for (const name of ['maxToolUsesPerTurn', 'maxConcurrentToolUses']) {
      const { result } = await talk(version, 1, { [name]: value });
      expect(await result).toMatchObject({ message: expect.stringContaining(`"${name}"`) as string });
    }
  });
});

it('begins nothing more once the handler waits for its client', async () => {
  const begun: unknown[] = [];
  const ask = samplingTool('t', {}, async ({ at }, ctx) => {
    begun.push(at);
    if (at === 0) throw new RxmcpError('ASK_SUSPENDED', ctx.method);
    await new Promise((resolve) => setTimeout(resolve, 1));
    return String(at);
  });
  const { run } = await pair(
    '2025-11-25',
    async (ctx) => {
      const messages = [{ role: 'user' as const, content: text('?') }];
      const done = sampleWithTools(ctx, 'k', {
        messages,
        maxTokens: 9,
        tools: [ask],
        maxConcurrentToolUses: 2,
      });
      await done.catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 20));
      return {};
    },
    { client: [using(10)] },
  );
  await run();
  expect(begun).toEqual([0, 1]);
});
