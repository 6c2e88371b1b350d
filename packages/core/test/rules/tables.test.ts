import type { JsonObject } from '@rxmcp/jsonrpc';
import { TransportError } from '@rxmcp/transport';
import { expect, it } from 'vitest';
import type { Context } from '../../src/index.js';
import { sendAsk, defineOffer } from '../../src/internal.js';
import type { ServerConnection } from '../../src/server/server-connection.js';
import { rawClient } from '../rig/raw-client.js';
import { turn } from '../rig/turn.js';

/** Everything that a server can be made to remember, behind one offer. */
function remembering() {
  let watched = 0;
  const aborted: string[] = [];
  const asks = async (_params: JsonObject, ctx: Context): Promise<JsonObject> => {
    ctx.signal.addEventListener('abort', () => aborted.push(ctx.method));
    return sendAsk(ctx, 'a', { method: 'roots/list', needs: { roots: {} } });
  };
  const offer = defineOffer({
    name: 'all',
    side: 'server',
    capabilities: { tools: { listChanged: true }, resources: { subscribe: true, listChanged: true } },
    methods: [
      { method: 'tools/call', handle: asks },
      { method: 'x/wait', handle: () => new Promise(() => undefined) },
    ],
    watch: () => {
      watched += 1;
      return () => void (watched -= 1);
    },
  });
  return { offer, watched: () => watched, aborted };
}

/** The sizes of every table of a connection and of the hub that it shares. */
function tables(served: unknown): number[] {
  const { legacy, listens, inFlight, peer, watches, core } = served as ServerConnection;
  const { watched, dirty } = core.hub;
  return [
    legacy?.watches?.size ?? 0,
    listens?.size ?? 0,
    inFlight.size,
    peer.calls.size,
    watches.parties.size,
    watches.size,
    watched.size,
    dirty.size,
    core.hub.listListeners.size,
  ];
}

it.each([
  ['in order', undefined],
  ['by a loss', new TransportError('CONNECTION_LOST', 'cut')],
])('a connection that ends %s leaves nothing in any table', async (_how, error) => {
  const { offer, watched, aborted } = remembering();
  const client = rawClient([offer]);
  await client.shake('2025-11-25', { roots: {} });
  const uris = Array.from({ length: 20 }, (_, i) => `x:${i}`);
  for (const uri of uris) await client.ask({ id: uri, method: 'resources/subscribe', params: { uri } });
  const notifications = { toolsListChanged: true, resourceSubscriptions: ['x:1', 'x:y'] };
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  for (const id of ['l1', 'l2'])
    client.put({ jsonrpc: '2.0', id, method: 'subscriptions/listen', params: { notifications, _meta } });
  for (const id of [1, 2]) client.put({ jsonrpc: '2.0', id, method: 'tools/call', params: {} });
  for (let id = 10; id < 400; id += 1) client.put({ jsonrpc: '2.0', id, method: 'x/wait' });
  await turn();
  expect(tables(client.served)).toEqual([20, 2, 394, 2, 1, 21, 21, 0, 3]);
  expect(watched()).toBe(21);
  client.stall();
  client.end(error);
  await turn();
  expect(tables(client.served)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0]);
  expect([watched(), aborted]).toEqual([0, ['tools/call', 'tools/call']]);
});
