import type { ContentBlock } from '@rxmcp/core';
import { audio, embeddedResource, image, text } from '@rxmcp/core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { SamplingCost, SamplingModel } from '../../src/index.js';
import { ModelError, tokenBudget, withTokenUsage } from '../../src/index.js';
import { asking, completion, contextOf, request } from '../sampling-requests.js';

afterEach(() => void vi.useRealTimers());

const using =
  (inputTokens: number, outputTokens: number): SamplingModel =>
  () =>
    withTokenUsage(completion('Paris.'), { inputTokens, outputTokens });
const price = ({ inputTokens, outputTokens }: { inputTokens: number; outputTokens: number }): number =>
  inputTokens * 0.001 + outputTokens * 0.01;

describe('a budget of tokens', () => {
  it('counts the tokens that the model reports', async () => {
    const { interceptor, cost$ } = tokenBudget({ price });
    const costs: SamplingCost[] = [];
    cost$.subscribe((cost) => void costs.push(cost));
    const ask = asking(using(100, 10), { modelInterceptors: [interceptor] });
    await ask();
    await ask(request(), contextOf('b'));
    expect(costs.map(({ calls, cost }) => [calls, Number(cost.toFixed(6))])).toEqual([
      [0, 0],
      [1, 0.2],
      [2, 0.4],
    ]);
    expect(costs.at(-1)?.servers.get('b')).toEqual({
      calls: 1,
      cost: 0.2,
      inputTokens: 100,
      outputTokens: 10,
    });
  });

  it('refuses a request that could exceed the ceiling, before the model runs', async () => {
    const { interceptor } = tokenBudget({ price, maxCost: 1.25 });
    const model = vi.fn(using(100, 10));
    const ask = asking(model, { modelInterceptors: [interceptor] });
    await ask();
    // A hundred tokens may cost 1, whatever they will: 0.2 + 1.02 fit, 0.4 + 1.02 do not.
    await ask();
    await expect(ask()).rejects.toMatchObject({
      code: 'ASK_REJECTED',
      message: /"maxCost" \(.*\) would be exceeded/,
    });
    await ask(request({ maxTokens: 10 }));
    expect(model).toHaveBeenCalledTimes(3);
  });

  it('reserves for what runs at the same time', async () => {
    const { interceptor } = tokenBudget({ price, maxCost: 1.5 });
    const ask = asking(using(1, 1), { modelInterceptors: [interceptor] });
    const both = await Promise.allSettled([ask(), ask()]);
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    await ask();
  });

  it('allows each server a number of tokens per minute, which are refilled evenly', async () => {
    vi.useFakeTimers();
    const { interceptor } = tokenBudget({ tokensPerMinute: 600 });
    const ask = asking(using(400, 100), { modelInterceptors: [interceptor] });
    await ask();
    const refused: unknown = await ask().catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: -31_001, retryable: true });
    await ask(request(), contextOf('b'));
    const { retryAfterMs } = (refused as { data: { retryAfterMs: number } }).data;
    await vi.advanceTimersByTimeAsync(retryAfterMs - 100);
    await expect(ask()).rejects.toThrow();
    await vi.advanceTimersByTimeAsync(100);
    await ask();
  });

  it('refuses without a retry what exceeds the budget of a minute', async () => {
    const { interceptor } = tokenBudget({ tokensPerMinute: 600 });
    const ask = asking(using(1, 1), { modelInterceptors: [interceptor] });
    await expect(ask(request({ maxTokens: 601 }))).rejects.toMatchObject({ code: 'ASK_REJECTED' });
  });

  it('estimates where the model reports nothing, pictures by their number', async () => {
    const { interceptor, cost$ } = tokenBudget({});
    let cost: SamplingCost | undefined;
    cost$.subscribe((now) => (cost = now));
    const ask = asking(() => completion('a'.repeat(400)), { modelInterceptors: [interceptor] });
    await ask(request({ messages: [{ role: 'user', content: image('A'.repeat(100_000), 'image/png') }] }));
    expect(cost?.inputTokens).toBeGreaterThan(1_500);
    expect(cost?.inputTokens).toBeLessThan(1_600);
    expect(cost?.outputTokens).toBeGreaterThan(100);
    expect(cost?.outputTokens).toBeLessThan(120);
  });

  it.each<[string, ContentBlock]>([
    ['a picture', image('A'.repeat(100_000), 'image/png')],
    ['a sound', audio('A'.repeat(100_000), 'audio/wav')],
    ['a file', embeddedResource({ uri: 'file:///a.pdf', blob: 'A'.repeat(100_000) })],
  ])('estimates %s among the answers of a tool as one anywhere', async (_what, block) => {
    const { interceptor, cost$ } = tokenBudget({});
    let cost: SamplingCost | undefined;
    cost$.subscribe((now) => (cost = now));
    const ask = asking(() => completion('ok'), { tools: true, modelInterceptors: [interceptor] });
    const content = [text('a'.repeat(400)), block];
    await ask(
      request({
        messages: [
          { role: 'user', content: text('Which?') },
          { role: 'assistant', content: { type: 'tool_use', id: 'a', name: 'look', input: {} } },
          { role: 'user', content: { type: 'tool_result', toolUseId: 'a', content } },
        ],
        tools: [{ name: 'look', inputSchema: { type: 'object' } }],
      }),
    );
    expect(cost?.inputTokens).toBeGreaterThan(1_600);
    expect(cost?.inputTokens).toBeLessThan(1_800);
  });

  it.each([
    ['nothing where the model was never reached', new ModelError('MODEL_UNREACHABLE', 'gone'), 0],
    ['all that it might take where it failed on its way', new ModelError('MODEL_TIMEOUT', 'late'), 100],
  ])('counts %s', async (_what, error, outputTokens) => {
    const { interceptor, cost$ } = tokenBudget({});
    let cost: SamplingCost | undefined;
    cost$.subscribe((now) => (cost = now));
    const ask = asking(() => Promise.reject(error), { modelInterceptors: [interceptor] });
    await expect(ask()).rejects.toBe(error);
    expect(cost?.outputTokens).toBe(outputTokens);
  });

  it('remembers so many servers, and all that was spent', async () => {
    const { interceptor, cost$ } = tokenBudget({ price, maxKeys: 2 });
    const ask = asking(using(0, 10), { modelInterceptors: [interceptor] });
    for (const name of ['a', 'b', 'a', 'c']) await ask(request(), contextOf(name));
    let cost: SamplingCost | undefined;
    cost$.subscribe((now) => (cost = now));
    expect([...(cost?.servers.keys() ?? [])]).toEqual(['a', 'c']);
    expect(cost?.cost).toBeCloseTo(0.4);
  });

  it('rejects invalid limits', () => {
    expect(() => tokenBudget({ tokensPerMinute: 0 })).toThrow('tokensPerMinute');
    expect(() => tokenBudget({ maxCost: NaN, price })).toThrow('maxCost');
    expect(() => tokenBudget({ maxCost: 1 })).toThrow('price');
  });
});
