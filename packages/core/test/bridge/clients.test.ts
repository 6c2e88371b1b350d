import type { ConnectionHandler, Transport } from '@rxmcp/transport';
import { TransportError } from '@rxmcp/transport';
import { expect, it, vi } from 'vitest';
import type { Fault } from '../../src/index.js';
import { bridge } from '../../src/index.js';
import type { Pipe } from '../rig/pipe.js';
import { pipe } from '../rig/pipe.js';
import { turn } from '../rig/turn.js';

const hello = { jsonrpc: '2.0', id: 'hello', method: 'initialize', params: {} };

/** One more client, who asks at once. */
async function come(acceptor: ConnectionHandler, holder?: string) {
  const front = pipe(holder === undefined ? {} : { holder });
  const served = acceptor.accept(front.connection);
  await turn();
  front.put(hello);
  await turn();
  return { front, served };
}

/** A bridge that joins two at a time; what it dialled to, and how further clients come. */
function narrow() {
  const dialled: Pipe[] = [];
  const faults: Fault[] = [];
  let hold: Promise<void> | undefined;
  const there: Transport = {
    name: 'script',
    dial() {
      const back = pipe();
      dialled.push(back);
      const { connection } = back;
      const close = async () => (await connection.close(), await hold);
      return Promise.resolve({ ...connection, close });
    },
  };
  const acceptor = bridge(there, { maxClients: 2, onFault: (fault) => void faults.push(fault) });
  return {
    dialled,
    faults,
    come: (holder?: string) => come(acceptor, holder),
    holding: (ends: Promise<void>) => (hold = ends),
  };
}

const refused = {
  id: 'hello',
  error: { code: -31_001, data: { retryable: true, executed: false } },
};

it('asks a client over the limit to retry later, and dials nothing for it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { dialled, faults, come } = narrow();
    const [first] = [await come(), await come()];
    const third = await come();
    expect(third.front.sent).toMatchObject([refused]);
    expect(third.front.envelopes).toMatchObject([{ rejection: 'overloaded' }]);
    expect(dialled).toHaveLength(2);
    expect(first.front.closed).toBe(false);
    await vi.advanceTimersByTimeAsync(250);
    await third.served.closed;
    expect(third.front.closed).toBe(true);
    // A client that asks again and again causes no more faults than the first.
    expect((await come()).front.sent).toMatchObject([refused]);
    expect(faults).toMatchObject([
      { code: 'TOO_MANY_CLIENTS', message: 'rejected a client: the limit is 2, and 1 for one caller' },
    ]);
    await vi.advanceTimersByTimeAsync(250);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

it('accepts clients again once a client and its server connection are closed', async () => {
  const { dialled, faults, come, holding } = narrow();
  let gone: () => void = () => undefined;
  holding(new Promise((resolve) => (gone = resolve)));
  const [first] = [await come(), await come()];
  first.front.end();
  await turn();
  expect((await come()).front.sent).toMatchObject([refused]);
  gone();
  await first.served.closed;
  await come();
  expect(dialled).toHaveLength(3);
  expect((await come()).front.sent).toMatchObject([refused]);
  expect(faults.map(({ code }) => code)).toEqual(['TOO_MANY_CLIENTS', 'TOO_MANY_CLIENTS']);
});

it('one address has half of the places, and the next address has one', async () => {
  const { dialled, come } = narrow();
  const first = await come('address 10.0.0.1');
  const second = await come('address 10.0.0.1');
  expect(second.front.sent).toMatchObject([refused]);
  await come('address 10.0.0.2');
  expect(dialled).toHaveLength(2);
  first.front.end();
  await first.served.closed;
  await come('address 10.0.0.1');
  expect(dialled).toHaveLength(3);
});

it('a server that cannot be reached frees its slot, and a fault reports the cause', async () => {
  const faults: Fault[] = [];
  const cause = new TransportError('DIAL_FAILED', 'cannot start "x": ENOENT');
  const nowhere: Transport = { name: 'nowhere', dial: () => Promise.reject(cause) };
  const acceptor = bridge(nowhere, { maxClients: 1, onFault: (fault) => void faults.push(fault) });
  for (let n = 0; n < 2; n += 1) {
    const front = pipe();
    const served = acceptor.accept(front.connection);
    await turn();
    front.put(hello);
    await turn();
    expect(front.sent).toMatchObject([{ error: { code: -31_003 } }]);
    front.end();
    await served.closed;
  }
  const message = 'connecting to "nowhere" failed: cannot start "x": ENOENT';
  expect(faults).toEqual([1, 2].map(() => ({ code: 'DIAL_FAILED', message, cause })));
});

it('a listener of faults that throws rejects no client, and ends nothing', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const nowhere: Transport = { name: 'none', dial: () => Promise.reject(new Error('no server')) };
    const told: string[] = [];
    const onFault = ({ code }: Fault): void => {
      told.push(code);
      throw new Error('no log');
    };
    const acceptor = bridge(nowhere, { maxClients: 1, onFault });
    const first = await come(acceptor);
    expect(first.front.sent).toMatchObject([{ error: { code: -31_003 } }]);
    expect((await come(acceptor)).front.sent).toMatchObject([refused]);
    await vi.advanceTimersByTimeAsync(250);
    await first.served.closed;
    expect((await come(acceptor)).front.sent).toMatchObject([{ error: { code: -31_003 } }]);
    expect(told).toEqual(['DIAL_FAILED', 'TOO_MANY_CLIENTS', 'DIAL_FAILED']);
  } finally {
    vi.useRealTimers();
  }
});
