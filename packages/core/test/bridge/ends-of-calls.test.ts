import { TransportError } from '@rxmcp/transport';
import { expect, it } from 'vitest';
import { sub } from '../rig/counting.js';
import type { Frame } from '../rig/pipe.js';
import { modernMeta } from '../rig/raw-client.js';
import { turn } from '../rig/turn.js';
import { joined } from './joined.js';

const laned = { lanes: 'per-request' } as const;
const params = { _meta: modernMeta() };
const cancelled = (id: Frame['id']) => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId: id },
});

it('a closing message of the server ends a subscription, and no other request', async () => {
  const { front, back } = await joined({}, false);
  front.put({ jsonrpc: '2.0', id: 'call', method: 'tools/call', params });
  front.put({ jsonrpc: '2.0', id: 'listen', method: 'subscriptions/listen', params });
  await turn();
  const [call, listen] = back.sent;
  for (const asked of [call, listen]) back.put(cancelled(asked?.id));
  await turn();
  expect(front.sent).toEqual([
    { jsonrpc: '2.0', id: 'listen', result: { resultType: 'complete', _meta: { [sub]: 'listen' } } },
    cancelled('listen'),
  ]);
  const result = { resultType: 'complete', content: [{ type: 'text', text: 'real' }] };
  back.put({ jsonrpc: '2.0', id: call?.id, result });
  await turn();
  expect(front.sent.slice(2)).toEqual([{ jsonrpc: '2.0', id: 'call', result }]);
});

it('reports why a request was not answered here, and sends only the code to the client', async () => {
  const { front, back, faults } = await joined({}, false, laned);
  front.put({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  await turn();
  const cause = new TransportError('DIAL_FAILED', 'https://in.example/mcp could not be reached\n\u001b[2J');
  back.closeLane('tools/call', cause);
  await turn();
  const message = String.raw`the server did not answer "tools/call": https://in.example/mcp could not be reached\u000a\u001b[2J`;
  expect(faults).toEqual([{ code: 'DIAL_FAILED', message, cause }]);
  expect(front.sent).toMatchObject([
    { id: 1, error: { code: -31003, data: { code: 'DIAL_FAILED', outcome: 'not-sent' } } },
  ]);
  expect(JSON.stringify(front.sent)).not.toContain('in.example');
});

it('reports a lost server once with its reason, however many requests wait for it', async () => {
  const { front, back, faults } = await joined({}, false, laned);
  for (const id of [1, 2, 3]) front.put({ jsonrpc: '2.0', id, method: 'tools/call', params });
  await turn();
  const cause = new TransportError('CONNECTION_LOST', 'exited with code 9');
  back.end(cause);
  await turn();
  expect(faults).toEqual([
    { code: 'CONNECTION_LOST', message: 'the server side was lost: exited with code 9', cause },
  ]);
  expect(front.sent.map(({ id, error }) => [id, error?.code])).toEqual([1, 2, 3].map((id) => [id, -31_003]));
});
