import { describe, expect, it } from 'vitest';
import { modernMeta } from '../rig/raw-client.js';
import { sub } from '../rig/counting.js';
import type { Frame, Pipe } from '../rig/pipe.js';
import { turn } from '../rig/turn.js';
import { joined } from './joined.js';

const modernLanes = {
  lanes: 'per-request',
  idScope: 'lane',
  serverInitiates: false,
  clientReplies: false,
} as const;
const record = (data: unknown) => ({
  jsonrpc: '2.0',
  method: 'notifications/message',
  params: { level: 'info', data },
});
const responseTo = (id: Frame['id'], result = {}) => ({ jsonrpc: '2.0', id, result });
const kinds = ({ sent }: Pipe) => sent.map((f) => f.params?.['data'] ?? f.method ?? 'result');

describe("keeps the order of the server's messages while its client does not read", () => {
  it('a response on a pipe', async () => {
    const { front, back } = await joined();
    front.put({ jsonrpc: '2.0', id: 1, method: 'x/call' });
    await turn();
    front.stall();
    const { id } = back.sent[0] as Frame;
    for (const n of [1, 2, 3]) back.put(record(n));
    back.put(responseTo(id));
    await turn();
    front.release();
    await turn();
    expect(kinds(front)).toEqual([1, 2, 3, 'result']);
  });

  it('a response on a lane', async () => {
    const { front, back, faults } = await joined(modernLanes, false);
    const lane = {};
    const params = { _meta: modernMeta({ 'io.modelcontextprotocol/logLevel': 'debug' }) };
    front.putOn({ jsonrpc: '2.0', id: 1, method: 'x/call', params }, { lane });
    await turn();
    front.stall();
    for (const n of [1, 2, 3]) back.put(record(n));
    back.put(responseTo(back.sent[0]?.id));
    await turn();
    expect(kinds(front)).toEqual([1, 2, 3, 'result']);
    expect(front.envelopes.every((beside) => beside?.lane === lane)).toBe(true);
    front.release();
    await turn();
    expect(front.sent).toHaveLength(4);
    expect(faults).toEqual([]);
  });

  it('a question', async () => {
    const { front, back } = await joined();
    front.stall();
    for (const n of [1, 2, 3]) back.put(record(n));
    back.put({ jsonrpc: '2.0', id: 'q', method: 'roots/list' });
    await turn();
    front.release();
    await turn();
    expect(kinds(front)).toEqual([1, 2, 3, 'roots/list']);
  });

  it('the end of a subscription', async () => {
    const { front, back } = await joined({}, false);
    const params = { _meta: modernMeta(), notifications: { resourceSubscriptions: ['v://now'] } };
    front.put({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params });
    await turn();
    front.stall();
    const { id } = back.sent[0] as Frame;
    const _meta = { [sub]: id };
    const method = 'notifications/resources/updated';
    for (const uri of ['v://a', 'v://b', 'v://c', 'v://b'])
      back.put({ jsonrpc: '2.0', method, params: { uri, _meta } });
    back.put(responseTo(id, { resultType: 'complete', _meta }));
    await turn();
    front.release();
    await turn();
    expect(front.sent.map((f) => f.params?.['uri'] ?? f.method ?? 'result')).toEqual([
      'v://a',
      'v://c',
      'v://b',
      'result',
      'notifications/cancelled',
    ]);
  });
});
