import { expect, it } from 'vitest';
import { offerNotification } from '../../src/index.js';
import { crashes } from '../rig/crashes.js';
import { rawClient } from '../rig/raw-client.js';
import { connected, rawServer } from '../rig/raw-server.js';
import { turn } from '../rig/turn.js';

const offers = [
  offerNotification('x/thrown', () => {
    throw new Error('mine');
  }),
  offerNotification('x/rejected', async () => {
    await Promise.resolve();
    throw new Error('mine');
  }),
];
const heard = (method: string): object => ({ jsonrpc: '2.0', method });
const failed = (method: string): object => ({
  code: 'HANDLER_FAILED',
  message: `the handler of "${method}" failed`,
  cause: new Error('mine'),
});

it.each(['x/thrown', 'x/rejected'])('a server handles %s: a fault, and the process lives', async (method) => {
  const seen = crashes();
  const client = rawClient(offers);
  client.put(heard(method));
  await turn();
  expect(client.faults).toEqual([failed(method)]);
  expect(seen).toEqual([]);
});

it.each(['x/thrown', 'x/rejected'])('a client handles %s: a fault, and the process lives', async (method) => {
  const seen = crashes();
  const server = rawServer(() => undefined);
  const remote = await connected(server, { offers });
  const faults: unknown[] = [];
  remote.faults$.subscribe((fault) => faults.push(fault));
  server.pipes[0]?.put(heard(method));
  await turn();
  expect(faults).toEqual([failed(method)]);
  expect(seen).toEqual([]);
});
