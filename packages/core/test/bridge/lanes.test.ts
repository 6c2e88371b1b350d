import { processMemory, type ReceiveInfo } from '@rxmcp/transport';
import { describe, expect, it } from 'vitest';
import { sub } from '../rig/counting.js';
import { modernMeta } from '../rig/raw-client.js';
import { turn } from '../rig/turn.js';
import type { Joined } from './joined.js';
import { joined } from './joined.js';

const traits = {
  lanes: 'per-request',
  idScope: 'lane',
  serverInitiates: false,
  clientReplies: false,
} as const;
const text = 'x'.repeat(1024 * 1024);

/** A subscription of a caller; what the server says to it, and the id of its request there. */
async function listening({ front, back }: Joined, arrival: ReceiveInfo = {}) {
  const lane = {};
  const params = { _meta: modernMeta(), notifications: {} };
  front.putOn({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params }, { lane, ...arrival });
  await turn();
  const id = back.sent.at(-1)?.id;
  const tell = (method: string, of: object): void =>
    back.put({ jsonrpc: '2.0', method, params: { ...of, _meta: { [sub]: id } } });
  const heard = () => front.sent.filter((_, at) => front.envelopes[at]?.lane === lane);
  return { lane, id, tell, heard };
}

type Listening = Awaited<ReturnType<typeof listening>>;

/** Of a lane only what was sent at once has arrived, without a fault, and another one is served. */
async function expectForgotten(slow: Listening, other: Listening, faults: Joined['faults']): Promise<void> {
  expect(slow.heard()).toHaveLength(1);
  expect(faults).toEqual([]);
  other.tell('x/tell', { n: 'other' });
  await turn();
  expect(other.heard()).toHaveLength(1);
}

describe('a lane that is not read, of a connection that many callers share', () => {
  it('is closed alone where too much waits that may not be lost, and its server is notified', async () => {
    const both = await joined(traits, false);
    const { front, back, faults } = both;
    const [slow, other] = [await listening(both), await listening(both)];
    front.stall();
    for (let n = 0; n < 17; n += 1) slow.tell('x/tell', { n, text });
    await turn();
    expect(faults.map(({ code }) => code)).toEqual(['OVERFLOW']);
    expect(front.closed).toBe(false);
    expect(front.ended).toEqual([slow.lane]);
    // The first was sent at once; what waited is dropped, and the response says why.
    expect(slow.heard()).toMatchObject([
      { params: { n: 0 } },
      { error: { code: -31003, data: { code: 'OVERFLOW' } } },
    ]);
    const cancelled = back.sent.filter(({ method }) => method === 'notifications/cancelled');
    expect(cancelled.map(({ params }) => params?.['requestId'])).toEqual([slow.id]);
    other.tell('x/tell', { n: 'other' });
    front.release();
    await turn();
    expect(other.heard()).toMatchObject([{ params: { n: 'other' } }]);
    expect(slow.heard()).toHaveLength(2);
  });

  it('loses its oldest records first', async () => {
    const both = await joined(traits, false);
    const { front, faults } = both;
    const slow = await listening(both);
    front.stall();
    for (let n = 0; n < 41; n += 1) slow.tell('notifications/message', { level: 'info', data: n, text });
    slow.tell('x/tell', { n: 'last' });
    await turn();
    front.release();
    await turn();
    expect(faults).toEqual([]);
    const records = slow.heard().filter(({ method }) => method === 'notifications/message');
    // The first was sent at once, and 16 Mi characters hold 15 of them with what is around their text.
    const kept = Array.from({ length: 15 }, (_, at) => 26 + at);
    expect(records.map(({ params }) => params?.['data'])).toEqual([0, ...kept]);
    expect(records[1]?.params?._meta).toMatchObject({ 'rxmcp/lost': 25 });
    expect(slow.heard().at(-1)?.params?.['n']).toBe('last');
  });

  it('is closed when too much waits for all together and most of it there', async () => {
    const both = await joined(traits, false);
    const { front, faults } = both;
    const lanes = [];
    for (let n = 0; n < 6; n += 1) lanes.push(await listening(both));
    front.stall();
    // One of each is sent; 15 wait on one lane, 12 on each of four.
    for (const [at, count] of [13, 16, 13, 13, 13].entries())
      for (let n = 0; n < count; n += 1) lanes[at]?.tell('x/tell', { n, text });
    await turn();
    expect(faults).toEqual([]);
    for (let n = 0; n < 2; n += 1) lanes[5]?.tell('x/tell', { n, text });
    await turn();
    expect(faults.map(({ code }) => code)).toEqual(['OVERFLOW']);
    expect(front.ended).toEqual([lanes[1]?.lane]);
    front.release();
    await turn();
    expect(lanes.map(({ heard }) => heard().length)).toEqual([13, 2, 13, 13, 13, 2]);
  });

  it('is forgotten with its queue once its caller leaves', async () => {
    const both = await joined(traits, false);
    const { front, faults } = both;
    const [slow, other] = [await listening(both), await listening(both)];
    front.stall();
    for (let n = 0; n < 1_000; n += 1) slow.tell('x/tell', { n });
    await turn();
    front.closeLane(slow.lane);
    front.release();
    await turn();
    await expectForgotten(slow, other, faults);
  });

  it('is ended with its queue once its caller cancels', async () => {
    const both = await joined(traits, false);
    const { front, faults } = both;
    const [slow, other] = [await listening(both), await listening(both)];
    front.stall();
    for (let n = 0; n < 1_000; n += 1) slow.tell('x/tell', { n });
    await turn();
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    front.putOn(cancel, { lane: slow.lane });
    front.release();
    await turn();
    expect(front.ended).toEqual([slow.lane]);
    await expectForgotten(slow, other, faults);
  });

  it('charges its caller for what waits, and is closed where that holds too much', async () => {
    const both = await joined(traits, false);
    const { front, faults } = both;
    const memory = processMemory();
    const [slow, other] = [
      await listening(both, { holder: 'ada' }),
      await listening(both, { holder: 'bob' }),
    ];
    const before = memory.heldBytes;
    front.stall();
    for (let n = 0; n < 3; n += 1) slow.tell('x/tell', { n, text });
    await turn();
    // The first was sent at once.
    expect(memory.heldBytes - before).toBeGreaterThan(2 * 2 * text.length);
    expect(memory.stats().largest[0]?.holder).toBe('ada');
    const rest = memory.stats().maxBytes / 2 - 2 * 2 * text.length;
    expect(memory.tryCharge('ada', Math.floor(rest) - 64 * 1024)).toBe(true);
    slow.tell('x/tell', { n: 3, text });
    memory.release('ada', Math.floor(rest) - 64 * 1024);
    await turn();
    expect(faults.map(({ code }) => code)).toEqual(['OVERFLOW']);
    expect(front.ended).toEqual([slow.lane]);
    other.tell('x/tell', { n: 'other' });
    front.release();
    await turn();
    expect(other.heard()).toMatchObject([{ params: { n: 'other' } }]);
    expect(memory.heldBytes).toBeLessThanOrEqual(before);
  });

  it('releases the buffer space that it took', async () => {
    const both = await joined(traits, false);
    const { front, faults } = both;
    for (let round = 0; round < 6; round += 1) {
      const slow = await listening(both);
      front.stall();
      for (let n = 0; n < 15; n += 1) slow.tell('x/tell', { n, text });
      await turn();
      front.closeLane(slow.lane);
      front.release();
      await turn();
    }
    expect(faults).toEqual([]);
  });
});
