import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import type { Serving } from '@rxmcp/app-serving/serving';
import type { Fault } from 'rxmcp';
import { memory } from 'rxmcp/memory';
import { stdio } from 'rxmcp/stdio';
import type { Transport } from 'rxmcp/transport';
import { openBridge } from '../src/bridge.js';
import { gone } from './program.js';
import { scene } from './scenes.js';

// Only the clock of the sessions is virtual: sockets go on as they are.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** A bridge that listens at a free port. */
async function overHttp(
  transport: Transport,
  { isCommand, faults = [] }: { readonly isCommand: boolean; readonly faults?: string[] },
): Promise<{ url: string; drain: Serving['drain'] }> {
  const onFault = ({ code }: Fault): void => void faults.push(code);
  const { urls, drain } = await openBridge(transport, {
    stdio: false,
    ports: { http: 0 },
    isCommand,
    onFault,
  });
  return { url: urls[0] ?? '', drain };
}

it.each([
  ['a command ends after 10 min', true, 404],
  ['a URL lasts longer', false, 200],
])('an unused session in front of %s', async (_what, isCommand, status) => {
  const link = memory();
  const behind = link.serve(scene().server);
  const { url, drain } = await overHttp(link, { isCommand });
  onTestFinished(async () => {
    await drain({ timeoutMs: 0 });
    await behind.close();
  });
  let session = {};
  const post = async (message: object): Promise<Response> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...session,
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
    await response.text();
    return response;
  };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
  const response = await post({ id: 0, method: 'initialize', params });
  session = { 'mcp-session-id': response.headers.get('mcp-session-id') };
  expect((await post({ method: 'notifications/initialized' })).status).toBe(202);
  await vi.advanceTimersByTimeAsync(9 * 60_000);
  expect((await post({ id: 1, method: 'ping' })).status).toBe(200);
  await vi.advanceTimersByTimeAsync(11 * 60_000);
  expect((await post({ id: 2, method: 'ping' })).status).toBe(status);
});

// Answers every request with its process id, then announces changes that no client can receive.
const announcing = `
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id } = JSON.parse(line);
  const frames = [{ id, result: { resultType: 'complete', pid: process.pid } }];
  for (let i = 0; i < 3; i += 1) frames.push({ method: 'notifications/tools/list_changed' });
  process.stdout.write(frames.map((frame) => JSON.stringify({ jsonrpc: '2.0', ...frame }) + '\\n').join(''));
});`;

it('the command for requests without a session ends after 10 min, and what it announces is reported once', async () => {
  const server = { command: process.execPath, args: ['-e', announcing] };
  const faults: string[] = [];
  const { url, drain } = await overHttp(stdio(server), { isCommand: true, faults });
  onTestFinished(() => drain({ timeoutMs: 0 }));
  const pid = async (): Promise<number> => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'x/pid',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x/pid', params: { _meta } }),
    });
    return ((await response.json()) as { result: { pid: number } }).result.pid;
  };
  const first = await pid();
  await vi.advanceTimersByTimeAsync(9 * 60_000);
  expect(await pid()).toBe(first);
  expect(faults).toEqual(['NOTIFICATION_DROPPED']);
  await vi.advanceTimersByTimeAsync(11 * 60_000);
  await gone([first]);
  expect(await pid()).not.toBe(first);
});
