import type { Caller, Context } from '@rxmcp/core';
import { text } from '@rxmcp/core';
import type { OfferSamplingOptions } from '../src/index.js';
import { offerSampling } from '../src/index.js';
import type { CreateMessageParams, CreateMessageResult, SamplingModel } from '../src/index.js';

/** A request of one text. */
export const request = (more: Partial<CreateMessageParams> = {}): CreateMessageParams => ({
  messages: [{ role: 'user', content: text('What is the capital of France?') }],
  maxTokens: 100,
  ...more,
});

/** A completion of one text. */
export const completion = (said: string, model = 'stand-in'): CreateMessageResult => ({
  role: 'assistant',
  content: text(said),
  model,
  stopReason: 'endTurn',
});

/** A context of a request from a server of that name. */
export function contextOf(server = 'a', signal = new AbortController().signal): Context {
  const caller: Caller = { info: { name: server, version: '1' }, capabilities: {} };
  return {
    method: 'sampling/createMessage',
    version: '2026-07-28',
    caller,
    meta: {},
    round: 1,
    signal,
    progress: () => undefined,
    log: () => undefined,
    notify: () => undefined,
    request: () => Promise.reject(new Error('nobody')),
    step: async (_key, fn) => fn(),
  };
}

/** Puts requests to a model as a client does, without a server. */
export function asking(
  model: SamplingModel,
  options: Partial<OfferSamplingOptions> = {},
): (params?: CreateMessageParams, ctx?: Context) => Promise<CreateMessageResult> {
  const offer = offerSampling(model, { approve: 'dangerouslyAlways', ...options });
  const handle = offer.methods![0]!.handle;
  return async (params = request(), ctx = contextOf()) =>
    (await handle(params as never, ctx)) as unknown as CreateMessageResult;
}
