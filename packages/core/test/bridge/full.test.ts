import { expect, it } from 'vitest';
import { turn } from '../rig/turn.js';
import { joined } from './joined.js';

const text = 'x'.repeat(4 * 1024 * 1024 - 1_024);

it('a server that does not read gets no more requests once 32 Mi characters wait, however few requests they are', async () => {
  const { front, back } = await joined();
  back.stall();
  for (let id = 1; id <= 12; id += 1) front.put({ jsonrpc: '2.0', id, method: 'x/call', params: { text } });
  await turn();
  expect(back.sent).toHaveLength(9);
  expect(front.sent.map(({ id }) => id)).toEqual([10, 11, 12]);
  expect(front.sent[0]?.error).toMatchObject({ code: -31001, data: { retryable: true, executed: false } });
  back.release();
  await turn();
  front.put({ jsonrpc: '2.0', id: 13, method: 'x/call', params: { text } });
  await turn();
  expect(back.sent).toHaveLength(10);
});
