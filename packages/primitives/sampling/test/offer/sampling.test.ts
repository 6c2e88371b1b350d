import type { JsonObject } from '@rxmcp/core';
import { text } from '@rxmcp/core';
import { of } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import type { Approve, CreateMessageParams, CreateMessageResult, SamplingModel } from '../../src/index.js';
import { offerSampling, sample, messageText } from '../../src/index.js';
import { pair } from '../pair.js';

/** One revision of each era, and the oldest. */
const revisions = ['2026-07-28', '2025-11-25', '2024-11-05'] as const;

const request: CreateMessageParams = {
  messages: [{ role: 'user', content: text('What is the capital of France?') }],
  systemPrompt: 'You are a helpful assistant.',
  modelPreferences: { hints: [{ name: 'small' }], costPriority: 0.5 },
  maxTokens: 100,
};
const result = (said: string): CreateMessageResult => ({
  role: 'assistant',
  content: text(said),
  model: 'stand-in',
  stopReason: 'endTurn',
});
const echo: SamplingModel = Object.assign(
  (params: CreateMessageParams) => result(`echo: ${messageText(params.messages[0]!)}`),
  { modelName: 'stand-in' },
);
const asking = (
  version: string,
  model: SamplingModel,
  approve: Approve | 'dangerouslyAlways',
  params = request,
) =>
  pair(version, async (ctx) => ({ completion: await sample(ctx, 'answer', params) }), {
    client: [offerSampling(model, { approve })],
  });

describe.each(revisions)('sampling at %s', (version) => {
  it('sends the request to the model and returns the completion', async () => {
    const model = vi.fn(echo);
    const { run } = await asking(version, model, 'dangerouslyAlways');
    expect(await run()).toMatchObject({ completion: result('echo: What is the capital of France?') });
    expect(model.mock.calls.map(([params]) => params)).toEqual([request]);
  });

  it('shows request and completion to the user, with the model', async () => {
    const approve = vi.fn<Approve>(() => ({ action: 'approve' }));
    const { run } = await asking(version, echo, approve);
    await run();
    expect(approve.mock.calls.map(([{ ctx: _ctx, ...review }]) => review)).toEqual([
      { stage: 'request', params: request, model: 'stand-in' },
      {
        stage: 'completion',
        params: request,
        result: result('echo: What is the capital of France?'),
        model: 'stand-in',
      },
    ]);
  });

  it('sends the request and the completion as the user edited them', async () => {
    const edited = { ...request, messages: [{ role: 'user' as const, content: text('And of Spain?') }] };
    const seen: string[] = [];
    const { run } = await asking(version, echo, async (review) => {
      if (review.stage === 'request') return { action: 'edit', params: edited };
      seen.push(messageText(review.result));
      return { action: 'edit', result: result('Madrid.') };
    });
    expect(await run()).toMatchObject({ completion: result('Madrid.') });
    expect(seen).toEqual(['echo: And of Spain?']);
  });

  it.each(['request', 'completion'] as const)('does not send a rejected %s', async (stage) => {
    const model = vi.fn(echo);
    const { run, remote } = await asking(version, model, (review) =>
      review.stage === stage ? { action: 'reject', reason: 'private' } : { action: 'approve' },
    );
    const wire: JsonObject[] = [];
    remote.wire$.subscribe(
      ({ direction, message }) => direction === 'out' && wire.push(message as JsonObject),
    );
    const failure: unknown = await run().catch((error: unknown) => error);
    expect(model).toHaveBeenCalledTimes(stage === 'request' ? 0 : 1);
    if (version === '2026-07-28') {
      // There is no error channel for the answer, so the call ends here and is not retried.
      expect(failure).toMatchObject({
        code: 'ASK_REJECTED',
        message: `the ${stage} was rejected: private`,
      });
      expect(wire).toHaveLength(1);
    } else {
      expect(wire.find((message) => 'error' in message)).toMatchObject({
        error: { code: -1, message: `the ${stage} was rejected: private` },
      });
      expect(failure).toMatchObject({ code: -1 });
    }
  });

  it('rejects an edit that is not a request', async () => {
    const { run, clientFaults } = await asking(version, echo, () => ({
      action: 'edit',
      params: {} as never,
    }));
    await expect(run()).rejects.toThrow();
    expect(clientFaults).toMatchObject([{ code: 'HANDLER_FAILED' }]);
  });

  it('lets no caller raise the limit of tokens', async () => {
    const model = vi.fn(echo);
    const params = { ...request, maxTokens: 101 };
    const { run } = await asking(version, model, () => ({ action: 'edit', params }));
    await expect(run()).rejects.toThrow();
    expect(model).not.toHaveBeenCalled();
  });

  it('shows the model that the request is for', async () => {
    const choosing = Object.assign(echo.bind(undefined), { modelFor: () => 'chosen' });
    const approve = vi.fn<Approve>(() => ({ action: 'approve' }));
    const { run } = await asking(version, choosing, approve);
    await run();
    expect(approve.mock.calls[0]?.[0].model).toBe('chosen');
  });

  it('treats an unknown answer of the approver as a refusal', async () => {
    const model = vi.fn(echo);
    const { run } = await asking(version, model, () => ({ action: 'yes' }) as never);
    await expect(run()).rejects.toThrow(/rejected/);
    expect(model).not.toHaveBeenCalled();
  });

  it('reports an invalid completion as the failure of the client', async () => {
    const { run, clientFaults } = await asking(
      version,
      () => ({ text: 'Paris' }) as never,
      'dangerouslyAlways',
    );
    await expect(run()).rejects.toThrow();
    expect(clientFaults).toMatchObject([{ code: 'HANDLER_FAILED' }]);
  });

  it('accepts a stream of the model, and sends a list of one block as the block', async () => {
    const model: SamplingModel = () => of({ ...result('Paris'), content: [text('Paris')] });
    const { run } = await asking(version, model, 'dangerouslyAlways');
    expect(await run()).toMatchObject({ completion: { content: { type: 'text', text: 'Paris' } } });
  });

  it('rejects with ASK_UNAVAILABLE where the client has no model', async () => {
    const { run } = await pair(version, async (ctx) => {
      const error = await sample(ctx, 'answer', request).catch((failure: unknown) => failure);
      return { code: (error as { code: unknown }).code };
    });
    expect(await run()).toMatchObject({ code: 'ASK_UNAVAILABLE' });
  });

  it('asks for context only where the client declares it', async () => {
    const model = vi.fn(echo);
    const wanting = { ...request, includeContext: 'thisServer' as const };
    const without = await asking(version, model, 'dangerouslyAlways', wanting);
    await without.run();
    expect(model.mock.lastCall?.[0]).toEqual(request);
    const { run } = await pair(version, async (ctx) => ({ said: await sample(ctx, 'answer', wanting) }), {
      client: [offerSampling(model, { approve: 'dangerouslyAlways', context: true })],
    });
    await run();
    // Before 2025-11-25 there was no word to declare it with, nor a need to.
    expect(model.mock.lastCall?.[0]).toEqual(wanting);
  });
});

describe('sampling on the two sides', () => {
  it('rejects a description without a decision about approval', () => {
    expect(() => offerSampling(echo, {} as never)).toThrow(/approve/);
    expect(() => offerSampling(echo, { approve: true as never })).toThrow(/dangerouslyAlways/);
  });

  it('declares only what it supports', () => {
    const approve = 'dangerouslyAlways';
    expect(offerSampling(echo, { approve }).capabilities).toEqual({ sampling: {} });
    expect(offerSampling(echo, { approve, tools: true, context: true }).capabilities).toEqual({
      sampling: { tools: {}, context: {} },
    });
  });

  it('leaves no rejection unhandled when two questions start together', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const { run } = await pair(
      '2026-07-28',
      async (ctx) => {
        const [first, second] = [sample(ctx, 'a', request), sample(ctx, 'b', request)];
        return { said: [messageText(await first), messageText(await second)] };
      },
      { client: [offerSampling(echo, { approve: 'dangerouslyAlways' })] },
    );
    const heard = 'echo: What is the capital of France?';
    expect(await run()).toMatchObject({ said: [heard, heard] });
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it('tears the model down when the call is cancelled', async () => {
    let started: () => void;
    const asked = new Promise<void>((resolve) => (started = resolve));
    let gone: (reason: unknown) => void;
    const torn = new Promise((resolve) => (gone = resolve));
    const model: SamplingModel = (_params, ctx) => {
      ctx.signal.addEventListener('abort', () => gone(ctx.signal.reason));
      started();
      return new Promise<never>(() => undefined);
    };
    const { remote } = await asking('2025-11-25', model, 'dangerouslyAlways');
    const call = remote.request('tools/call', { name: 'test' }).subscribe();
    await asked;
    call.unsubscribe();
    expect(await torn).toMatchObject({ code: 'CANCELLED' });
  });
});
