import { TransportError } from '@rxmcp/transport';
import { describe, expect, it, vi } from 'vitest';
import { offerMethod, once } from '../../src/index.js';
import { connected, rawServer } from '../rig/raw-server.js';
import type { RawServer } from '../rig/raw-server.js';
import { turn, until } from '../rig/turn.js';

const traits = { lanes: 'per-request', idScope: 'connection', carriesHeaders: true } as const;
const eras = ['modern', 'legacy'] as const;
const silent = (era: (typeof eras)[number]) => rawServer(() => undefined, { era }, traits);
const wireOf = (server: RawServer) => server.pipes[0] as NonNullable<(typeof server.pipes)[0]>;
const cancels = (server: RawServer) =>
  wireOf(server).sent.filter(({ method }) => method === 'notifications/cancelled');

describe.each(eras)('a call on its own lane, %s', (era) => {
  const words = era === 'modern' ? 0 : 1;

  it('that is cancelled ends its lane, once', async () => {
    const server = silent(era);
    const remote = await connected(server);
    const subscription = remote.request('x/a').subscribe();
    remote.request('x/b').subscribe({ error: () => undefined });
    const lane = wireOf(server).laneOf('x/a');
    expect(lane).not.toBe(wireOf(server).laneOf('x/b'));
    subscription.unsubscribe();
    subscription.unsubscribe();
    await turn();
    expect(wireOf(server).ended).toEqual([lane]);
    expect(cancels(server)).toHaveLength(words);
  });

  it('that times out ends its lane, once', async () => {
    vi.useFakeTimers();
    try {
      const server = silent(era);
      const remote = await connected(server);
      const call = once(remote.request('x/a', {}, { idleTimeoutMs: 1_000 }));
      const failed = expect(call).rejects.toMatchObject({ code: 'TIMEOUT' });
      await vi.advanceTimersByTimeAsync(1_001);
      await failed;
      expect(wireOf(server).ended).toEqual([wireOf(server).laneOf('x/a')]);
      expect(cancels(server)).toHaveLength(words);
    } finally {
      vi.useRealTimers();
    }
  });

  it('whose lane closes without a response fails alone, with outcome unknown', async () => {
    const server = silent(era);
    const remote = await connected(server);
    const [a, b, c] = ['x/a', 'x/b', 'x/c'].map((method) => once(remote.request(method)));
    const cause = new TransportError('UNAUTHORIZED', 'no', { outcome: 'answered', details: { status: 401 } });
    wireOf(server).closeLane('x/a');
    wireOf(server).closeLane('x/b', cause);
    await expect(a).rejects.toMatchObject({ code: 'CONNECTION_LOST', outcome: 'unknown' });
    await expect(b).rejects.toBe(cause);
    wireOf(server).closeLane({}, cause);
    const asked = wireOf(server).sent.find(({ method }) => method === 'x/c');
    wireOf(server).put({ jsonrpc: '2.0', id: asked?.id, result: { c: true } });
    expect(await c).toEqual({ c: true });
    expect(wireOf(server).ended).toEqual([]);
    expect(server.pipes).toHaveLength(1);
  });
});

it('a request of the server on the lane of a call is answered outside that lane', async () => {
  const server = rawServer(() => undefined, { era: 'legacy' }, traits);
  const remote = await connected(server, { offers: [offerMethod('x/ask', {}, () => ({ yes: true }))] });
  remote.request('x/a').subscribe({ error: () => undefined });
  const wire = wireOf(server);
  const lane = wire.laneOf('x/a') as object;
  wire.putOn({ jsonrpc: '2.0', id: 'q', method: 'x/ask' }, { lane });
  await until(() => wire.sent.some(({ id }) => id === 'q'));
  const at = wire.sent.findIndex(({ id }) => id === 'q');
  expect([wire.sent[at], wire.envelopes[at]]).toMatchObject([
    { result: { yes: true } },
    { lane, version: '2025-11-25' },
  ]);
  expect(wire.ended).toEqual([]);
});
