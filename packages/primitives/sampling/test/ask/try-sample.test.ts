import type { JsonObject } from '@rxmcp/core';
import { timeout } from '@rxmcp/core/interceptors';
import { NEVER } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { SamplingModel, OfferSamplingOptions } from '../../src/index.js';
import { offerSampling, messageText, trySample } from '../../src/index.js';
import { completion, request } from '../sampling-requests.js';
import { pair } from '../pair.js';

const model: SamplingModel = () => completion('Paris.');

async function tried(
  version: string,
  answering?: SamplingModel,
  options: Partial<OfferSamplingOptions> = {},
): Promise<JsonObject> {
  const { run } = await pair(
    version,
    async (ctx) => {
      const tried = await trySample(ctx, 'answer', request());
      if (tried.status === 'completed') return { outcome: tried.status, said: messageText(tried.result) };
      return { outcome: tried.status, code: tried.error.code };
    },
    answering === undefined
      ? {}
      : { client: [offerSampling(answering, { approve: 'dangerouslyAlways', ...options })] },
  );
  return run();
}

describe.each(['2026-07-28', '2025-11-25', '2024-11-05'])('an ask with an outcome, at %s', (version) => {
  it('is completed', async () => {
    expect(await tried(version, model)).toMatchObject({ outcome: 'completed', said: 'Paris.' });
  });

  it('is unsupported where the client has no model', async () => {
    expect(await tried(version)).toMatchObject({ outcome: 'unsupported', code: 'ASK_UNAVAILABLE' });
  });
});

describe('an ask that is not answered, up to 2025-11-25', () => {
  const version = '2025-11-25';

  it('was rejected', async () => {
    const answer = await tried(version, model, { approve: () => ({ action: 'reject' }) });
    expect(answer).toMatchObject({ outcome: 'rejected', code: 'ASK_REJECTED' });
  });

  it('failed', async () => {
    const answer = await tried(version, () => Promise.reject(new Error('broken')));
    expect(answer).toMatchObject({ outcome: 'failed', code: 'ASK_REJECTED' });
  });

  it('timed out', async () => {
    const answer = await tried(version, () => NEVER, { modelInterceptors: [timeout({ totalTimeoutMs: 1 })] });
    expect(answer).toMatchObject({ outcome: 'timedOut', code: 'ASK_REJECTED' });
  });

  it('was invalid, which is a fault of the server', async () => {
    const { run, serverFaults } = await pair(version, async (ctx) => {
      await trySample(ctx, 'answer', { messages: [], maxTokens: 0 });
      return {};
    });
    await expect(run()).rejects.toMatchObject({ code: -32_603 });
    expect(serverFaults).toMatchObject([
      { code: 'HANDLER_FAILED', cause: expect.any(TypeError) as TypeError },
    ]);
  });
});

it('ends the call of a client that rejects it, since 2026-07-28', async () => {
  const answer = tried('2026-07-28', model, { approve: () => ({ action: 'reject' }) });
  await expect(answer).rejects.toMatchObject({ code: 'ASK_REJECTED' });
});
