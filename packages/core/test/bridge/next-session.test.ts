import { expect, it } from 'vitest';
import { turn } from '../rig/turn.js';
import { joined } from './joined.js';

it('row 42: the next client of a bridged pipe begins with free ids, and the server gets the cancellations', async () => {
  const { front, back, faults } = await joined();
  front.put({ jsonrpc: '2.0', id: 'hello', method: 'x/hold' });
  await turn();
  const held = back.sent[0];
  front.put({ jsonrpc: '2.0', id: 'hello', method: 'initialize', params: {} });
  await turn();
  expect(back.sent.slice(1)).toMatchObject([
    { method: 'notifications/cancelled', params: { requestId: held?.id } },
    { method: 'initialize' },
  ]);
  back.put({ jsonrpc: '2.0', id: held?.id, result: { late: true } });
  back.put({
    jsonrpc: '2.0',
    id: back.sent[2]?.id,
    result: { protocolVersion: '2025-06-18', capabilities: {} },
  });
  await turn();
  expect(front.sent).toMatchObject([{ id: 'hello', result: { protocolVersion: '2025-06-18' } }]);
  expect(faults).toEqual([]);
});
