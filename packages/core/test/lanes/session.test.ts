import { describe, expect, it } from 'vitest';
import type { Context } from '../../src/index.js';
import { offerMethod } from '../../src/index.js';
import { sendAsk } from '../../src/internal.js';
import type { RawClient } from '../rig/raw-client.js';
import { rawClient } from '../rig/raw-client.js';
import { turn } from '../rig/turn.js';

const traits = { lanes: 'per-request', idScope: 'connection' } as const;
const roots = { method: 'roots/list', needs: { roots: {} } } as const;

/** A handler in the hands of a test. */
function inHand() {
  const runs: { ctx: Context; finish(value: Record<string, unknown>): void }[] = [];
  const offer = offerMethod(
    'x/held',
    {},
    (_params, ctx) => new Promise((finish) => void runs.push({ ctx, finish })),
  );
  return { offer, runs, run: (at = 0) => runs[at] as (typeof runs)[number] };
}

async function session(offer: ReturnType<typeof inHand>['offer'], version = '2025-11-25') {
  const client = rawClient([offer], { traits });
  await client.shake(version, { roots: {} });
  await client.take();
  const lane = { which: 'call' };
  client.putOn({ jsonrpc: '2.0', id: 1, method: 'x/held' }, { lane });
  await turn();
  return { client, lane, on: (which: object | undefined) => on(client, which) };
}

function on(client: RawClient, lane: object | undefined) {
  return client.sent.filter((f, i) => client.envelopes[i]?.lane === lane && f.id !== 'hello');
}

describe('an ask of a session', () => {
  it('is sent on the lane of its call, and so is its withdrawal, which does not end the lane', async () => {
    const { offer, run } = inHand();
    const { client, lane, on } = await session(offer);
    sendAsk(run().ctx, 'k', roots).catch(() => undefined);
    await turn();
    const [question] = on(lane);
    expect(question).toMatchObject({ method: 'roots/list' });
    run().finish({ done: true });
    await turn();
    expect(on(lane).slice(1)).toMatchObject([
      { method: 'notifications/cancelled', params: { requestId: question?.id } },
      { id: 1, result: { done: true } },
    ]);
    expect(on(undefined)).toEqual([]);
    expect(client.ended).toEqual([]);
  });

  it('continues to wait when the lane closes, since the answer comes another way', async () => {
    const { offer, run } = inHand();
    const { client, lane, on } = await session(offer);
    const answer = sendAsk(run().ctx, 'k', roots);
    await turn();
    client.closeLane(lane);
    client.putOn({ jsonrpc: '2.0', id: on(lane)[0]?.id, result: { roots: [] } }, { lane: {} });
    expect(await answer).toEqual({ roots: [] });
    expect(run().ctx.signal.aborted).toBe(false);
  });

  it('is not sent where no client can receive it any more, and is withdrawn outside the closed lane', async () => {
    const { offer, run } = inHand();
    const { client, lane, on } = await session(offer);
    const first = sendAsk(run().ctx, 'k', roots);
    await turn();
    client.closeLane(lane);
    await expect(sendAsk(run().ctx, 'other', roots)).rejects.toMatchObject({ code: 'ASK_UNAVAILABLE' });
    run().finish({});
    await expect(first).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(on(undefined)).toMatchObject([{ method: 'notifications/cancelled' }]);
    expect(client.faults).toEqual([]);
  });
});

describe('a request of a session', () => {
  it('that is cancelled ends its lane, once, and nothing more is sent there', async () => {
    const { offer, run } = inHand();
    const { client, lane, on } = await session(offer);
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    client.putOn(cancelled, { lane: {} });
    client.putOn(cancelled, {});
    await turn();
    expect(run().ctx.signal.aborted).toBe(true);
    run().ctx.progress(1);
    run().finish({});
    await turn();
    expect(on(lane)).toEqual([]);
    expect(client.ended).toEqual([lane]);
  });

  it('of a batch that is cancelled leaves the lane to the others, and it ends after the last of them', async () => {
    const { offer, run, runs } = inHand();
    const client = rawClient([offer], { traits });
    await client.shake('2025-03-26');
    const lane = {};
    const batch = [1, 2, 3].map((id) => ({ jsonrpc: '2.0', id, method: 'x/held' }));
    client.putOn(batch, { lane });
    await turn();
    expect(runs).toHaveLength(3);
    client.put({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } });
    run(0).finish({ n: 1 });
    await turn();
    expect(client.ended).toEqual([]);
    run(2).finish({ n: 3 });
    expect(client.ended).toEqual([]);
    await turn();
    expect(on(client, lane)).toMatchObject([{ id: 1 }, { id: 3 }]);
    expect(client.ended).toEqual([lane]);
  });

  it('continues when its lane closes: a closed lane does not cancel it', async () => {
    const { offer, run } = inHand();
    const { client, lane } = await session(offer);
    client.closeLane(lane);
    expect(run().ctx.signal.aborted).toBe(false);
    run().finish({});
    await turn();
    expect(client.ended).toEqual([]);
  });
});
