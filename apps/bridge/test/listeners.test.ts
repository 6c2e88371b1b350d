import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { bridge } from 'rxmcp';
import { memory } from 'rxmcp/memory';
import { openListeners } from '../src/listeners.js';
import { scene } from './scenes.js';

// Only the clock of the sessions is virtual: sockets go on as they are.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
afterEach(() => void vi.useRealTimers());

it.each([
  ['a command ends after 10 min', { command: 'x', args: [] }, 404],
  ['a URL lasts longer', { url: 'http://x.test', headers: {} }, 200],
])('an unused session in front of %s', async (_what, server, status) => {
  const link = memory();
  const serving = link.serve(scene().server);
  const [listener] = await openListeners(bridge(link), { ports: { http: 0 }, server, tokens: undefined });
  onTestFinished(async () => {
    await listener?.close();
    await serving.close();
  });
  let session = {};
  const post = async (message: object): Promise<Response> => {
    const answer = await fetch(listener?.url ?? '', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...session,
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
    await answer.text();
    return answer;
  };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
  const answer = await post({ id: 0, method: 'initialize', params });
  session = { 'mcp-session-id': answer.headers.get('mcp-session-id') };
  expect((await post({ method: 'notifications/initialized' })).status).toBe(202);
  await vi.advanceTimersByTimeAsync(9 * 60_000);
  expect((await post({ id: 1, method: 'ping' })).status).toBe(200);
  await vi.advanceTimersByTimeAsync(11 * 60_000);
  expect((await post({ id: 2, method: 'ping' })).status).toBe(status);
});
