import { once as event } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { bridge, once } from 'rxmcp';
import { memory } from 'rxmcp/memory';
import { messagePort, serveMessagePort } from 'rxmcp/message-port';
import { tools } from 'rxmcp/tools';
import { answering, scene, versions } from './scenes.js';
import { until } from './until.js';

/** A worker that runs in the test: it carries messages between its parent and a port, and ends on request. */
const mortal = `
const { parentPort, workerData: inside } = require('node:worker_threads');
parentPort.on('message', (message) => (message.method === 'x/die' ? process.exit(9) : inside.postMessage(message)));
inside.on('message', (message) => parentPort.postMessage(message));
inside.on('close', () => parentPort.close());
`;

/** A client over a bridge at a server in a worker. */
async function connected(version: string) {
  const stage = scene();
  const exits: Promise<unknown[]>[] = [];
  const faults: string[] = [];
  const behind = messagePort(() => {
    const { port1, port2 } = new MessageChannel();
    const serving = serveMessagePort(stage.server, port1);
    onTestFinished(() => serving.close());
    const worker = new Worker(mortal, { eval: true, workerData: port2, transferList: [port2 as never] });
    exits.push(event(worker, 'exit'));
    return worker;
  });
  const link = memory();
  const serving = link.serve(bridge(behind, { onFault: ({ code }) => void faults.push(code) }));
  onTestFinished(() => serving.close());
  const remote = await answering(version).connect(link);
  onTestFinished(() => remote.close());
  return { ...stage, remote, exits, faults };
}

it.each(versions)('%s: a worker ends with its client', async (version) => {
  const { remote, exits, torn } = await connected(version);
  tools(remote)
    .call('hang')
    .subscribe({ error: () => undefined });
  await once(tools(remote).call('echo'));
  await remote.close();
  expect(exits).toHaveLength(1);
  await exits[0];
  await until(() => torn.length === 1);
});

it.each(versions)('%s: a client ends with its worker, and receives the reason', async (version) => {
  const { remote, exits, faults } = await connected(version);
  const states: string[] = [];
  remote.status$.subscribe(({ state }) => states.push(state));
  const ended = expect(once(tools(remote).call('hang'))).rejects.toMatchObject({
    code: -31003,
    data: { code: 'CONNECTION_LOST', outcome: 'unknown' },
  });
  await once(tools(remote).call('echo'));
  await once(remote.request('x/die')).catch(() => undefined);
  await ended;
  expect(await exits[0]).toEqual([9]);
  await until(() => states.at(-1) === 'closed');
  expect(faults).toContain('CONNECTION_LOST');
});
