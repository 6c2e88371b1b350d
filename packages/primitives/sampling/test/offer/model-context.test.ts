import type { Interceptor } from '@rxmcp/core';
import { expect, it } from 'vitest';
import type { SamplingModel } from '../../src/index.js';
import { asking, completion, contextOf, request } from '../sampling-requests.js';

const pass: Interceptor = (_exchange, next) => next();

it('a model behind interceptors has the context of the request', async () => {
  const calls: unknown[] = [];
  const outer = {
    ...contextOf(),
    log: (...of: unknown[]) => void calls.push(['log', ...of]),
    notify: (...of: unknown[]) => void calls.push(['notify', ...of]),
    request: (...of: unknown[]) => (calls.push(['request', ...of]), Promise.resolve({ a: 1 })),
    step: (key: string, run: () => unknown) => (calls.push(['step', key]), Promise.resolve(run())),
  };
  const seen: unknown[] = [];
  const model: SamplingModel = async (_params, ctx) => {
    const { method, version, caller, meta, round } = ctx;
    seen.push({ method, version, caller, meta, round });
    ctx.log('info', 'text', 'me');
    ctx.notify('x/told', { n: 1 });
    seen.push(await ctx.request('x/y', { n: 2 }), await ctx.step('a', () => 3));
    return completion('done');
  };
  await asking(model, { modelInterceptors: [pass] })(request(), outer as never);
  const { method, version, caller, meta, round } = outer;
  expect(seen).toEqual([{ method, version, caller, meta, round }, { a: 1 }, 3]);
  // The log passes through the interceptors, which may take a turn.
  expect(calls).toHaveLength(4);
  expect(calls).toEqual(
    expect.arrayContaining([
      ['log', 'info', 'text', 'me'],
      ['notify', 'x/told', { n: 1 }],
      ['request', 'x/y', { n: 2 }],
      ['step', 'a'],
    ]),
  );
});
