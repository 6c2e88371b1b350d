import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bridge } from 'rxmcp';
import { serveHttp } from 'rxmcp/http/node';
import type { Line, Raw } from './raw.js';
import { bareServer } from './raw.js';
import { until } from './until.js';

const text = 'x'.repeat(70_000);
const version = '2026-07-28';

/** The response to one request of a caller, of which nothing is read yet. */
async function post(url: string, method: string): Promise<IncomingMessage> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': version,
    'mcp-method': method,
  };
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/logLevel': 'debug',
  };
  const sent = request(url, { method: 'POST', headers, agent: false });
  onTestFinished(() => void sent.destroy());
  sent.on('error', () => undefined);
  sent.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { _meta } }));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}

/** All messages of a response, be it whole or a stream. */
async function read(response: IncomingMessage): Promise<Raw[]> {
  let all = '';
  for await (const chunk of response.setEncoding('utf8')) all += String(chunk);
  const lines = all.startsWith('{') ? [all] : all.split('\n').filter((line) => line.startsWith('data: {'));
  return lines.map((line) => JSON.parse(line.replace(/^data: /, '')) as Raw);
}

/** A bridge from Streamable HTTP to a server of lines, at which one caller asked and does not read the response. */
async function unread(faults: string[]) {
  const { transport, line } = await bareServer();
  const front = bridge(transport, { onFault: ({ code }) => void faults.push(code) });
  const serving = await serveHttp(front, { port: 0 });
  onTestFinished(async () => void (await serving.close()));
  const asked = post(serving.url, 'x/slow');
  let server: Line | undefined;
  await until(() => {
    try {
      server = line();
    } catch {
      return false;
    }
    return server.heard.length === 1;
  });
  const behind = server as Line;
  behind.write({ method: 'notifications/message', params: { level: 'info', data: 0 } });
  const slow = await asked;
  slow.pause();
  behind.onMessage(({ id, method }) => {
    if (method === 'x/other') behind.write({ id, result: { other: true } });
  });
  const other = async () => read(await post(serving.url, 'x/other'));
  return { behind, slow, other, id: behind.heard[0]?.id };
}

describe('a caller over Streamable HTTP that does not read its responses', () => {
  it('misses log records, and neither it nor any other caller is cut for them', async () => {
    const faults: string[] = [];
    const { behind, slow, other, id } = await unread(faults);
    for (let n = 1; n <= 400; n += 1)
      behind.write({ method: 'notifications/message', params: { level: 'info', data: n, text } });
    // It is read after the records.
    behind.write({ id: null });
    await until(() => faults.includes('INVALID_MESSAGE'));
    expect(await other()).toMatchObject([{ result: { other: true } }]);
    behind.write({ id, result: { done: true } });
    const heard = await read(slow);
    expect(heard.at(-1)).toMatchObject({ id: 1, result: { done: true } });
    const records = heard.slice(0, -1).map(({ params }) => params ?? {});
    expect(records.at(-1)?.['data']).toBe(400);
    const lost = records.map(({ _meta }) => (_meta as Record<string, number> | undefined)?.['rxmcp/lost']);
    const missed = lost.reduce<number>((sum, n = 0) => sum + n, 0);
    expect(missed).toBeGreaterThan(0);
    expect(records.length + missed).toBe(401);
    expect(faults).toEqual(['INVALID_MESSAGE']);
  });

  it('loses its request where that may not be lost, its server is notified, and no other caller is cut', async () => {
    const faults: string[] = [];
    const { behind, slow, other, id } = await unread(faults);
    for (let n = 1; n <= 500; n += 1) behind.write({ method: 'x/tell', params: { n, text } });
    await until(() => behind.heard.some(({ method }) => method === 'notifications/cancelled'));
    expect(behind.heard.at(-1)?.params?.['requestId']).toBe(id);
    // What is still on its way belongs to no call any more.
    behind.write({ id: null });
    await until(() => faults.includes('INVALID_MESSAGE'));
    expect(await other()).toMatchObject([{ result: { other: true } }]);
    expect(behind.socket.destroyed).toBe(false);
    const heard = await read(slow);
    expect(heard.at(-1)).toMatchObject({ id: 1, error: { code: -31003, data: { code: 'OVERFLOW' } } });
    expect(faults).toContain('OVERFLOW');
  });

  it('leaves without a fault for each message that waited', async () => {
    const faults: string[] = [];
    const { behind, slow, other } = await unread(faults);
    for (let n = 1; n <= 200; n += 1) behind.write({ method: 'x/tell', params: { n, text } });
    behind.write({ id: null });
    await until(() => faults.includes('INVALID_MESSAGE'));
    slow.destroy();
    await until(() => behind.heard.some(({ method }) => method === 'notifications/cancelled'));
    expect(await other()).toMatchObject([{ result: { other: true } }]);
    expect(faults).toEqual(['INVALID_MESSAGE']);
  });
});
