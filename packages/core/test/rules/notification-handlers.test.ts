import { MemoryBudget, processMemory } from '@rxmcp/transport';
import { expect, it, vi } from 'vitest';
import { type Fault, offerNotification } from '../../src/index.js';
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

it('a server charges a notification until its handler has settled, and drops what does not fit', async () => {
  const memory = new MemoryBudget({ maxBytes: 128 * 1024 });
  const release: (() => void)[] = [];
  const waits = offerNotification('x/waits', () => new Promise<void>((done) => release.push(done)));
  let passed = 0;
  const passes = offerNotification('x/passes', () => void (passed += 1));
  const client = rawClient([waits, passes], { memory });
  const idle = memory.heldBytes;
  const charge = vi.spyOn(memory, 'tryCharge');
  for (let count = 0; count < 100; count += 1) client.put({ ...heard('x/passes'), params: { count } });
  await turn();
  expect([passed, charge.mock.calls.length]).toEqual([100, 0]);
  for (let count = 0; count < 100; count += 1) client.put({ ...heard('x/waits'), params: { count } });
  await turn();
  expect(release.length).toBeGreaterThan(10);
  expect(release.length).toBeLessThan(64);
  expect(memory.heldBytes).toBeGreaterThanOrEqual(idle + release.length * 1_024);
  expect(client.faults).toHaveLength(100 - release.length);
  expect(client.faults[0]).toMatchObject({
    code: 'NOTIFICATION_DROPPED',
    message: expect.stringContaining('"x/waits"') as string,
  });
  client.put(heard('x/passes'));
  await turn();
  expect(passed).toBe(101);
  for (const done of release) done();
  await turn();
  expect(memory.heldBytes).toBe(idle);
});

it('a client charges its server likewise', async () => {
  const holder = 'connection x';
  const release: (() => void)[] = [];
  const waits = offerNotification('x/waits', () => new Promise<void>((done) => release.push(done)));
  const server = rawServer(() => undefined, {}, { holder });
  const remote = await connected(server, { offers: [waits] });
  const faults: Fault[] = [];
  remote.faults$.subscribe((fault) => void faults.push(fault));
  const memory = processMemory();
  const share = memory.maxBytes / 2;
  for (const other of [0, share - 4_096, share - 4_096]) {
    memory.tryCharge(holder, other);
    server.pipes[0]?.put(heard('x/waits'));
    await turn();
    memory.release(holder, other);
  }
  // The first one shows that the handler returns promises, the second is charged.
  expect([release.length, faults.map(({ code }) => code)]).toEqual([2, ['NOTIFICATION_DROPPED']]);
  const held = memory.heldBytes;
  for (const done of release) done();
  await turn();
  expect(memory.heldBytes).toBeLessThan(held);
});
