import { type Context, offerNotification, once } from '@rxmcp/core';
import { requireCapabilities } from '@rxmcp/core/internal';
import { describe, expect, it, vi } from 'vitest';
import { offerResources, resource, resources } from '../src/index.js';
import { serve } from './fixture.js';

const era = ['legacy', ['2025-11-25']] as const;

/** Reads a resource whose source uses its context, with progress and a notification handler of the client. */
async function reading(use: (ctx: Context) => unknown, shared: boolean) {
  const told: unknown[] = [];
  const source = async (_vars: object, ctx: Context): Promise<string> => JSON.stringify(await use(ctx)) ?? '';
  const { connect } = serve(offerResources([resource('x:a', { shared }, source)]));
  const remote = await connect([era[0], era[1]], 'ada', [
    offerNotification('x/told', (params) => void told.push(params)),
  ]);
  const [contents] = await once(resources(remote).read('x:a', { meta: { 'x/own': 1 } }));
  return { value: JSON.parse((contents as { text: string }).text) as unknown, told };
}

describe.each([
  ['a source of one caller', false],
  ['a source that all callers share', true],
])('the context of %s', (_of, shared) => {
  it('names the request, and its caller and metadata unless they are shared', async () => {
    const { value } = await reading(
      ({ method, version, caller, meta, round }) => ({
        method,
        version,
        caller: caller.principal,
        meta,
        round,
      }),
      shared,
    );
    expect(value).toMatchObject({
      method: 'resources/read',
      version: '2025-11-25',
      round: 1,
      ...(shared ? { meta: {} } : { caller: 'ada', meta: { 'x/own': 1 } }),
    });
    expect(Object.keys(value as object).includes('caller')).toBe(!shared);
  });

  it('runs steps, and notifies its caller only', async () => {
    const { value, told } = await reading(async (ctx) => {
      ctx.notify('x/told', { n: 1 });
      return [await ctx.step('a', () => 1), await ctx.step('b', () => 2)];
    }, shared);
    expect(value).toEqual([1, 2]);
    await vi.waitFor(() => expect(told).toEqual(shared ? [] : [{ n: 1 }]));
  });

  it('asks its caller only', async () => {
    const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;
    const { value } = await reading(async (ctx) => {
      let needs: unknown = 'met';
      try {
        requireCapabilities(ctx, { sampling: {} });
      } catch (error) {
        needs = codeOf(error);
      }
      return [await ctx.request('x/asked').catch(codeOf), needs];
    }, shared);
    expect(value).toEqual(
      shared ? ['ASK_UNAVAILABLE', 'ASK_UNAVAILABLE'] : [-32601, 'CAPABILITY_NOT_SUPPORTED'],
    );
  });
});
