import { EncodedMessage } from '@rxmcp/jsonrpc';
import { serveSocket, socket } from '@rxmcp/stdio/net';
import type { Connection } from '@rxmcp/transport';
import { recording, type Recording } from '@rxmcp/transport-tck/recording';
import { webSocket } from '@rxmcp/websocket';
import { serveWebSocket } from '@rxmcp/websocket/node';
import { defineServer, offerMethod } from 'rxmcp';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

interface Dialled {
  readonly connection: Connection;
  readonly record: Recording;
  readonly runs: () => number;
}

function described() {
  let runs = 0;
  const run = offerMethod('x/run', {}, (params) => ({ runs: (runs += 1), given: params }));
  const server = defineServer({ info: { name: 'desk', version: '1.0.0' }, offers: [run] });
  server.faults$.subscribe();
  return { server, runs: () => runs };
}

async function started(connection: Connection, runs: () => number): Promise<Dialled> {
  const record = recording();
  connection.start(record);
  onTestFinished(() => connection.close());
  // A client that begins with anything but a message is cut from a socket.
  await connection.send(ping(0));
  await vi.waitUntil(() => record.messages.length === 1);
  return { connection, record, runs };
}

const carriers: Readonly<Record<string, () => Promise<Dialled>>> = {
  async 'a WebSocket'() {
    const { server, runs } = described();
    const handle = await serveWebSocket(server);
    onTestFinished(() => handle.close());
    return started(await webSocket(handle.url).dial(), runs);
  },
  async 'a socket'() {
    const { server, runs } = described();
    const handle = await serveSocket(server, { port: 0 });
    onTestFinished(() => handle.close());
    return started(await socket({ port: handle.port }).dial(), runs);
  },
};

const ping = (id: number) => ({ jsonrpc: '2.0' as const, id, method: 'ping' });
const request = '{"jsonrpc":"2.0","id":1,"method":"x/run","params":{"text":"é😀"}}';
const run = (params: string): string => `{"jsonrpc":"2.0","id":1,"method":"x/run","params":${params}}`;
const withId = (id: string): string => `{"jsonrpc":"2.0","id":${id},"method":"x/run"}`;

/** Sends a text as it is, then a ping, and gives what came before the answer to the ping. */
async function answers({ connection, record }: Dialled, body: string, id = 99): Promise<unknown[]> {
  const from = record.messages.length;
  await connection.send(new EncodedMessage(body));
  await connection.send(ping(id));
  const since = (): unknown[] => record.messages.slice(from);
  await vi.waitUntil(() => since().some((message) => (message as { id?: unknown }).id === id));
  expect(record.closeErrors).toEqual([]);
  return since().slice(0, -1);
}

describe.each(Object.entries(carriers))('over %s', (_name, dialled) => {
  it.each<[string, string, number]>([
    ['row 12: text that is no JSON', '{"jsonrpc":', -32700],
    ['row 7: a byte order mark inside', run('\ufeff{}'), -32700],
    ['row 11: a number', '1', -32600],
    ['row 11: a string', '"x"', -32600],
    ['row 11: null', 'null', -32600],
    ['row 11: true', 'true', -32600],
    ['row 13: an empty batch', '[]', -32600],
    ['row 13: a batch without a session that has them', `[${request}]`, -32600],
    ['row 14: an id that is null', withId('null'), -32600],
    ['row 14: an id that is 1.5', withId('1.5'), -32600],
    ['row 14: an id that is an object', withId('{}'), -32600],
    ['row 14: an id of 1e309', withId('1e309'), -32600],
    ['row 14: an id over 2^53', withId('9007199254740993'), -32600],
    ['row 14: an id of 10 KB', withId(`"${'x'.repeat(10_000)}"`), -32600],
    ['row 17: two methods', '{"jsonrpc":"2.0","method":"x/run","method":"ping"}', -32600],
    ['row 19: a depth of 10,000', run(`{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`), -32600],
    ['row 20: a million values', run(`{"a":[${'0,'.repeat(1_000_000)}0]}`), -32600],
  ])('%s: an error without an id, nothing runs, and the connection stays open', async (_what, body, code) => {
    const desk = await dialled();
    const said = await answers(desk, body);
    expect(said).toMatchObject([{ error: { code } }]);
    expect(said[0]).not.toHaveProperty('id');
    expect(desk.runs()).toBe(0);
  });

  it('row 10: a message cut anywhere', async () => {
    const desk = await dialled();
    for (let end = 1; end < request.length; end += 3) {
      const said = await answers(desk, request.slice(0, end), end);
      expect([end, said]).toMatchObject([end, [{ error: { code: -32700 } }]]);
    }
    expect(desk.runs()).toBe(0);
  });

  it.each([
    [
      'row 17: look-alikes of members',
      '{"jsonrpc":"2.0","id":1,"METHOD":"x/run","method\\u0000":"x/run"}',
      -32600,
    ],
    ['row 33: a method called __proto__', '{"jsonrpc":"2.0","id":1,"method":"__proto__"}', -32602],
  ])('%s binds to nothing', async (_what, body, code) => {
    const desk = await dialled();
    expect(await answers(desk, body)).toMatchObject([{ error: { code } }]);
    expect(desk.runs()).toBe(0);
  });

  it('rows 5, 8 and 18: characters of all planes, U+2028 and __proto__ arrive as they are', async () => {
    const desk = await dialled();
    const params = '{"text":"é😀\u2028\u2029","__proto__":{"polluted":1},"constructor":{"prototype":1}}';
    const _meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`;
    const [said] = await answers(desk, run(`${params.slice(0, -1)},${_meta}}`));
    const { given } = (said as { result: { given: object } }).result;
    expect(JSON.stringify(given)).toContain(params.slice(0, -1));
    expect({}).not.toHaveProperty('polluted');
  });

  it('rows 15, 16 and 44: unexpected answers are ignored', async () => {
    const desk = await dialled();
    for (const body of [
      '{"jsonrpc":"2.0","id":1,"result":{}}',
      '{"jsonrpc":"2.0","id":"1","error":{"code":1,"message":"x"}}',
    ])
      expect(await answers(desk, body)).toEqual([]);
  });
});
