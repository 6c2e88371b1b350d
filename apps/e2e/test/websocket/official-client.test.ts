import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { WebSocketClientTransport } from '@modelcontextprotocol/sdk/client/websocket.js';
import { ElicitRequestSchema, ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { serveWebSocket } from '@rxmcp/websocket/node';
import { expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import { described } from './served.js';

/** The official client of the first line, which takes the WebSocket of the platform: here that of `ws`. */
async function connected() {
  vi.stubGlobal('WebSocket', WebSocket);
  onTestFinished(() => void vi.unstubAllGlobals());
  const description = described();
  const serving = await serveWebSocket(description.server);
  onTestFinished(() => serving.close());
  const client = new Client({ name: 'official-v1', version: '1.0.0' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { name: 'Ada' } }));
  await client.connect(new WebSocketClientTransport(new URL(serving.url)));
  onTestFinished(() => client.close());
  return { ...description, client, serving };
}

it('the official client lists, calls and receives progress', async () => {
  const { client } = await connected();
  expect(client.getServerVersion()).toMatchObject({ name: 'pond' });
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('count');
  const heard: number[] = [];
  const result = await client.callTool({ name: 'count', arguments: { to: 3 } }, undefined, {
    onprogress: ({ progress }) => heard.push(progress),
  });
  expect(result.content).toMatchObject([{ text: 'counted to 3' }]);
  // It loses progress that comes in one turn with the result, as the third does here.
  expect(heard.slice(0, 2)).toEqual([1, 2]);
});

it('the official client is asked, and answers', async () => {
  const { client } = await connected();
  expect((await client.callTool({ name: 'greet' })).content).toMatchObject([{ text: 'Hello, Ada!' }]);
});

it('the official client is notified of changes', async () => {
  const { client, temperature } = await connected();
  const updated = vi.fn();
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => updated(params.uri));
  await client.subscribeResource({ uri: 'sensor://temperature' });
  await vi.waitUntil(() => temperature.observed);
  temperature.next(21);
  await vi.waitUntil(() => updated.mock.calls.length > 0);
  const { contents } = await client.readResource({ uri: 'sensor://temperature' });
  expect(contents).toMatchObject([{ text: '21' }]);
});

it('the official client cancels, and receives the end', async () => {
  const { client, torndown, serving } = await connected();
  const cancelling = new AbortController();
  const call = client.callTool({ name: 'hang' }, undefined, { signal: cancelling.signal });
  const failed = expect(call).rejects.toThrow();
  await client.callTool({ name: 'count', arguments: { to: 0 } });
  cancelling.abort();
  await failed;
  await vi.waitUntil(() => torndown() === 1);
  const ended = vi.fn();
  client.onclose = ended;
  await serving.close();
  await vi.waitUntil(() => ended.mock.calls.length === 1);
});

it('an official client that leaves is not a fault', async () => {
  const { client, server } = await connected();
  const faults: string[] = [];
  const following = server.faults$.subscribe(({ code }) => faults.push(code));
  onTestFinished(() => following.unsubscribe());
  let open = 1;
  const counting = server.connections$.subscribe((connections) => (open = connections.length));
  onTestFinished(() => counting.unsubscribe());
  await client.close();
  await vi.waitUntil(() => open === 0);
  expect(faults).toEqual([]);
});
