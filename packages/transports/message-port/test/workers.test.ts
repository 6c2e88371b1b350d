import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Connection } from '@rxmcp/transport';
import { verifyApplicableRules } from '@rxmcp/transport-tck';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { messagePort, type MessagePortOptions } from '../src/index.js';
import { recording, type Recording } from '@rxmcp/transport-tck/recording';
import { bundled } from '../../../../vitest.bundle.js';
import { aboutConnections } from '../../../../vitest.connections.js';
import { generousTimeouts } from '../../../../vitest.kit.js';

const ping = (id: number, params = {}) => ({ jsonrpc: '2.0', id, method: 'ping', params }) as const;
const until = (check: () => void): Promise<void> => vi.waitFor(check, { interval: 2 });

describe('a worker of Node', async () => {
  const path = await bundled(new URL('fixtures/echo.ts', import.meta.url));

  await verifyApplicableRules({
    test: aboutConnections(test),
    async serve() {
      const workers: Worker[] = [];
      return {
        transport: messagePort(() => {
          const worker = new Worker(path);
          workers.push(worker);
          return worker;
        }),
        close: async () => undefined,
        async cut() {
          await workers.at(-1)?.terminate();
        },
      };
    },
    options: { outOfProcess: true, ...generousTimeouts },
  });
});

interface Dialled {
  readonly connection: Connection;
  readonly heard: Recording;
  readonly worker: Worker;
}

/** Dials a worker that runs the given lines, with `parentPort` available. */
async function dialled(lines: string, options: MessagePortOptions = {}): Promise<Dialled> {
  const worker = new Worker(`const { parentPort } = require('node:worker_threads');\n${lines}`, {
    eval: true,
  });
  const connection = await messagePort(() => worker, options).dial();
  onTestFinished(() => connection.close());
  const heard = recording();
  connection.start(heard);
  return { connection, heard, worker };
}

const exited = (worker: Worker): Promise<number> =>
  new Promise((resolve) => worker.once('exit', (code) => resolve(code)));

test('a worker whose program is missing closes the connection with the reason', async () => {
  const connection = await messagePort(() => new Worker('/nonexistent/no-such-worker.mjs')).dial();
  const heard = recording();
  connection.start(heard);
  await until(() =>
    expect(heard.closeErrors).toMatchObject([{ code: 'CONNECTION_LOST', details: { exitCode: 1 } }]),
  );
  expect(String(heard.closeErrors[0]?.cause)).toContain('no-such-worker');
});

test('a worker that crashes closes the connection with its error', async () => {
  const { connection, heard } = await dialled(
    `parentPort.once('message', () => { throw new Error('out of luck'); });`,
  );
  void connection.send(ping(1));
  await until(() => expect(heard.closeErrors).toMatchObject([{ code: 'CONNECTION_LOST' }]));
  expect(heard.closeErrors[0]?.cause).toMatchObject({ message: 'out of luck' });
  await expect(connection.send(ping(2))).rejects.toMatchObject({ code: 'CLOSED', outcome: 'not-sent' });
});

test('closing ends a worker that takes no notice, in bounded time', async () => {
  const { connection, worker } = await dialled(`parentPort.on('message', () => { for (;;); });`);
  const gone = exited(worker);
  await once(worker, 'online');
  await connection.send(ping(1));
  await connection.close();
  expect(await gone).toBe(1);
});

test('messages accepted before a close are read by the worker before it ends', async () => {
  const channel = new MessageChannel();
  const worker = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads');
     parentPort.on('message', (data) => {
       workerData.postMessage(data);
       if (data.rxmcp === 'bye') { parentPort.postMessage(data); workerData.close(); }
     });`,
    { eval: true, workerData: channel.port2, transferList: [channel.port2 as never] },
  );
  const seen: unknown[] = [];
  channel.port1.onmessage = ({ data }) => void seen.push(data);
  const connection = await messagePort(() => worker).dial();
  await once(worker, 'online');
  connection.start(recording());
  for (let id = 0; id < 100; id += 1) void connection.send(ping(id));
  await connection.close();
  await until(() => expect(seen).toHaveLength(101));
  channel.port1.close();
});

test('a worker that was given itself is dialled once, and left running', async () => {
  const worker = new Worker(
    `const { parentPort } = require('node:worker_threads');
     parentPort.on('message', (data) => data.id && parentPort.postMessage({ jsonrpc: '2.0', id: data.id, result: {} }));`,
    { eval: true },
  );
  onTestFinished(async () => void (await worker.terminate()));
  const transport = messagePort(worker);
  const connection = await transport.dial();
  expect(connection.traits.redialable).toBe(false);
  const heard = recording();
  connection.start(heard);
  void connection.send(ping(1));
  await until(() => expect(heard.messages).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]));
  await connection.close();
  await expect(transport.dial()).rejects.toMatchObject({ code: 'DIAL_FAILED', outcome: 'not-sent' });
  const answer = new Promise((resolve) => worker.once('message', resolve));
  worker.postMessage({ id: 2 });
  expect(await answer).toEqual({ jsonrpc: '2.0', id: 2, result: {} });
});

test('a worker that is made while its dial is aborted is ended', async () => {
  const abort = new AbortController();
  const worker = new Worker('setInterval(() => {}, 1000)', { eval: true });
  const gone = exited(worker);
  const dialling = messagePort(async () => (abort.abort(), worker)).dial({ signal: abort.signal });
  await expect(dialling).rejects.toMatchObject({ code: 'DIAL_ABORTED', outcome: 'not-sent' });
  await gone;
});
