import { processMemory } from '@rxmcp/transport';
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

it('notifications that a server does not take are charged, and dropped with one fault from the 1,001st on', async () => {
  const { front, back, faults } = await joined();
  const { heldBytes } = processMemory();
  back.stall();
  const notify = (count: number): void => {
    for (let at = 0; at < count; at += 1) front.put({ jsonrpc: '2.0', method: 'x/note', params: { at } });
  };
  notify(1_000);
  await turn();
  expect(processMemory().heldBytes - heldBytes).toBeGreaterThan(1_000 * 2_048);
  notify(100);
  await turn();
  expect(back.sent).toHaveLength(1_000);
  expect(faults.map(({ code }) => code)).toEqual(['NOTIFICATION_DROPPED']);
  expect(faults[0]?.message).toContain('"x/note"');
  back.release();
  await turn();
  expect(processMemory().heldBytes).toBe(heldBytes);
  notify(1);
  await turn();
  expect(back.sent).toHaveLength(1_001);
});

it('a notification is dropped where the share of its caller is used up', async () => {
  const { front, back, faults } = await joined({ holder: 'address full' });
  const memory = processMemory();
  const bytes = Math.floor(memory.maxBytes / 2) - 1_024;
  expect(memory.tryCharge('address full', bytes)).toBe(true);
  front.put({ jsonrpc: '2.0', method: 'x/note' });
  await turn();
  expect(back.sent).toEqual([]);
  expect(faults.map(({ code }) => code)).toEqual(['NOTIFICATION_DROPPED']);
  memory.release('address full', bytes);
  front.put({ jsonrpc: '2.0', method: 'x/note' });
  await turn();
  expect(back.sent).toHaveLength(1);
});
