import { expect, it } from 'vitest';
import { modernMeta } from '../rig/raw-client.js';
import { turn } from '../rig/turn.js';
import { joined } from './joined.js';

const shared = {
  lanes: 'per-request',
  idScope: 'lane',
  serverInitiates: false,
  clientReplies: false,
} as const;

/** A bridge whose callers share one connection, and a caller with more calls than the server runs. */
async function crowded() {
  const { front, back, served } = await joined(shared, false);
  let id = 0;
  const call = (holder: string, count: number, method = 'x/call'): object[] =>
    Array.from({ length: count }, () => {
      const lane = {};
      const params = { holder, _meta: modernMeta() };
      front.putOn({ jsonrpc: '2.0', id: ++id, method, params }, { lane, holder });
      return lane;
    });
  // How many calls of a caller have reached the server.
  const countOf = (holder: string): number =>
    back.sent.filter(({ params }) => params?.['holder'] === holder).length;
  const answer = (at: number): void => back.put({ jsonrpc: '2.0', id: back.sent[at]?.id, result: {} });
  // The first result shows that the results of a caller are small.
  for (const [at, holder] of ['a', 'b'].entries()) {
    call(holder, 1);
    await turn();
    answer(at);
    await turn();
  }
  const lanes = call('a', 300);
  await turn();
  return { front, back, served, lanes, call, countOf, answer };
}

it('one caller has less than half of the calls that a server runs, and the next caller does not wait', async () => {
  const { call, countOf, answer } = await crowded();
  expect(countOf('a')).toBe(1 + 112);
  call('b', 1);
  await turn();
  expect(countOf('b')).toBe(2);
  answer(2);
  await turn();
  expect(countOf('a')).toBe(1 + 113);
});

it('subscriptions take no turns', async () => {
  const { call, countOf } = await crowded();
  call('a', 1, 'subscriptions/listen');
  await turn();
  expect(countOf('a')).toBe(1 + 112 + 1);
});

it('a call that waits and is cancelled never starts', async () => {
  const { front, lanes, countOf, answer } = await crowded();
  for (const lane of lanes.slice(112, 299)) front.closeLane(lane);
  await turn();
  for (const at of [2, 3]) answer(at);
  await turn();
  expect(countOf('a')).toBe(1 + 113);
});

it('no call that waits starts when the connection ends', async () => {
  const { front, back, countOf } = await crowded();
  front.end();
  await turn();
  expect(countOf('a')).toBe(1 + 112);
  expect(back.closed).toBe(true);
});

it('one caller has half of the 64 subscriptions that callers share, another one half of the rest, and has room again where one ends', async () => {
  const { front, call, countOf } = await crowded();
  const before = countOf('a');
  front.sent.length = 0;
  const lanes = call('a', 40, 'subscriptions/listen');
  await turn();
  expect(countOf('a')).toBe(before + 32);
  const rejected = front.sent.filter(({ error }) => error?.message.endsWith('too many subscriptions'));
  expect(rejected.map(({ error }) => [error?.code, error?.data?.['executed']])).toEqual(
    Array.from({ length: 8 }, () => [-31001, false]),
  );
  front.closeLane(lanes[0] as object);
  call('a', 2, 'subscriptions/listen');
  await turn();
  expect(countOf('a')).toBe(before + 33);
  call('c', 40, 'subscriptions/listen');
  await turn();
  expect(countOf('c')).toBe(16);
});
