import { expect, it } from 'vitest';
import { modernMeta } from '../rig/raw-client.js';
import { turn } from '../rig/turn.js';
import { joined } from './joined.js';

const traits = {
  lanes: 'per-request',
  idScope: 'lane',
  serverInitiates: true,
  clientReplies: false,
} as const;
const logLevel = 'io.modelcontextprotocol/logLevel';

async function withRequests(...metas: object[]) {
  const both = await joined(traits, false);
  const lanes = metas.map((meta, id) => {
    const lane = {};
    const params = { _meta: { ...modernMeta(), ...meta } };
    both.front.putOn({ jsonrpc: '2.0', id, method: 'tools/call', params }, { lane });
    return lane;
  });
  await turn();
  const tell = async (method: string): Promise<unknown> => {
    const before = both.front.sent.length;
    both.back.put({ jsonrpc: '2.0', method, params: {} });
    await turn();
    return both.front.sent.length === before ? 'dropped' : both.front.envelopes.at(-1)?.lane;
  };
  return { ...both, lanes, tell };
}

it('a notification that names no request goes to the only one that is open', async () => {
  const { lanes, tell, faults } = await withRequests({});
  expect(await tell('x/told')).toBe(lanes[0]);
  expect(faults).toEqual([]);
});

it('a record goes to the only request that asked for records', async () => {
  const { lanes, tell } = await withRequests({}, { [logLevel]: 'info' });
  expect(await tell('notifications/message')).toBe(lanes[1]);
  expect(await tell('x/told')).toBe('dropped');
});

it('one that fits several requests is dropped, which is reported once for each method', async () => {
  const { tell, faults } = await withRequests({}, {});
  for (const method of ['x/told', 'x/told', 'y/told', 'x/told']) expect(await tell(method)).toBe('dropped');
  expect(faults.map(({ code }) => code)).toEqual(['NOTIFICATION_DROPPED', 'NOTIFICATION_DROPPED']);
  expect(faults.map(({ message }) => /"(.)\/told"/.exec(message)?.[1])).toEqual(['x', 'y']);
});

it('the methods that are remembered for that are limited', async () => {
  const { tell, faults } = await withRequests();
  for (let at = 0; at < 20; at += 1) await tell(`x/${String(at)}`);
  expect(faults).toHaveLength(16);
});
