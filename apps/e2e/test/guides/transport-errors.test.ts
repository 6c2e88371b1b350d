import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { defineClient, once, TransportError } from 'rxmcp';
import { memory } from 'rxmcp/memory';
import { stdio } from 'rxmcp/stdio';
import { tools } from 'rxmcp/tools';
import type { Transport } from '@rxmcp/transport';
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { each } from '../matrix/harness.js';
import { rawExchange } from '../matrix/raw-exchange.js';
import { revisions } from '../matrix/revisions.js';

const server = 'toolbox';
const info = { name: 'desk', version: '1.0.0' };

describe.each(revisions)('a server that cannot be reached at $version', ({ version }) => {
  const nobody: readonly (readonly [string, Transport])[] = [
    ['memory', memory()],
    ['stdio', stdio({ command: '/nonexistent/没有这个程序' })],
  ];
  it.each(nobody)('rejects connect() over %s with DIAL_FAILED', async (_name, transport) => {
    const error: unknown = await defineClient({ info, versions: [version] })
      .connect(transport)
      .catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(TransportError);
    expect(error).toMatchObject({ code: 'DIAL_FAILED', outcome: 'not-sent' });
  });
});

each('a send that fails ends its call and nothing else', { server }, async ({ connect, place }) => {
  let broken = false;
  const transport: Transport = {
    name: 'breaking',
    dial: async (options) => {
      const connection = await place.transport.dial(options);
      return {
        ...connection,
        traits: connection.traits,
        start: (receiver) => connection.start(receiver),
        send: (out, envelope) =>
          broken
            ? Promise.reject(new TransportError('SEND_FAILED', 'The line is dead.', { outcome: 'not-sent' }))
            : connection.send(out, envelope),
        endLane: (lane) => connection.endLane(lane),
        close: () => connection.close(),
      };
    },
  };
  const { remote } = await connect({ transport });
  broken = true;
  await expect(once(tools(remote).call('calculate_sum', { a: 1, b: 2 }))).rejects.toMatchObject({
    code: 'SEND_FAILED',
    outcome: 'not-sent',
  });
  broken = false;
  expect(await once(tools(remote).call('calculate_sum', { a: 1, b: 2 }))).toMatchObject({
    content: [{ text: '3' }],
  });
});

each('a call without an answer ends in TIMEOUT and is cancelled', { server }, async ({ connect, place }) => {
  // Answers to tools/call get lost on the way.
  const lost = new Set<unknown>();
  const transport: Transport = {
    name: 'losing',
    dial: async (options) => {
      const connection = await place.transport.dial(options);
      return {
        traits: connection.traits,
        start: (receiver) =>
          connection.start({
            received: (message, arrival) => {
              if (!lost.has((message as { id?: unknown }).id)) receiver.received(message, arrival);
            },
            laneClosed: (lane, error) => receiver.laneClosed(lane, error),
            fault: (error) => receiver.fault(error),
            closed: (error) => receiver.closed(error),
          }),
        send: (out, envelope) => {
          const { id, method } = out as { id?: unknown; method?: string };
          if (method === 'tools/call') lost.add(id);
          return connection.send(out, envelope);
        },
        endLane: (lane) => connection.endLane(lane),
        close: () => connection.close(),
      };
    },
  };
  const { remote, sent, withdrawn } = await connect({ transport, timeoutMs: 150 });
  await expect(once(tools(remote).call('calculate_sum', { a: 1, b: 2 }))).rejects.toMatchObject({
    code: 'TIMEOUT',
    outcome: 'unknown',
  });
  const [call] = sent.filter(({ method }) => method === 'tools/call');
  await vi.waitFor(() => expect([...withdrawn]).toEqual([call?.['id']]));
});

each('invalid messages get the standard codes, and the connection stays open', { server }, async (cell) => {
  const { ask, tell } = await rawExchange(cell);
  expect(await ask('tools/call', { name: 'calculate_sum', arguments: { a: 20, b: 22 } })).toMatchObject({
    result: { content: [{ text: '42' }] },
  });
  expect(await ask('no/such-method')).toMatchObject({ error: { code: -32601 } });
  expect(await ask('tools/call', { name: 7 })).toMatchObject({ error: { code: -32602 } });
  const odd = await tell({ jsonrpc: '1.0', id: 'odd', method: 'tools/list' }).catch(refusalOf);
  expect(odd).toMatchObject({ error: { code: -32600 } });
  for (const message of [odd, await ask('tools/list')]) {
    expect(Number('result' in message) + Number('error' in message)).toBe(1);
  }
});

// HTTP+SSE refuses what is no message where it was posted, not on the stream.
function refusalOf(error: unknown): object {
  if (!TransportError.is(error) || error.code !== 'REJECTED') throw error;
  expect(error.details).toMatchObject({ status: 400 });
  return { error: { code: -32600 } };
}

it('a line that is not JSON gets -32700 over stdio, and the connection stays open', async () => {
  const program = join(inject('programs of e2e'), 'test/matrix/stdio-server.mjs');
  const child = spawn(process.execPath, [program, server], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill());
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answer = async (line: string): Promise<unknown> => {
    child.stdin.write(`${line}\n`);
    return JSON.parse(String((await lines.next()).value));
  };
  expect(await answer('{"jsonrpc":"2.0", 坏')).toMatchObject({ error: { code: -32700 } });
  expect(await answer('{"jsonrpc":"2.0","id":"甲","method":"ping"}')).toEqual({
    jsonrpc: '2.0',
    id: '甲',
    result: {},
  });
});
