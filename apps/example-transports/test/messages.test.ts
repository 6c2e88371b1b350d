import type { ChildProcess } from 'node:child_process';
import { type Connection, ConnectionSet, createTransport, fromStreams } from '@rxmcp/transport';
import {
  echoConnectionHandler,
  Relay,
  type RelayedConnection,
  verifyApplicableRules,
} from '@rxmcp/transport-tck';
import { ReplaySubject, type Subject } from 'rxjs';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { bundled } from '../../../vitest.bundle.js';
import { aboutConnections } from '../../../vitest.connections.js';
import { exhaustive } from '../../../vitest.exhaustive.js';
import { generousTimeouts } from '../../../vitest.kit.js';
import { broadcast, serveBroadcast } from '../src/broadcast-channel.js';
import { ipc, overIpc } from '../src/ipc.js';
import { ipcEnd } from './ipc-pair.js';

/** The rules send messages of the largest size. */
const traits = { maxMessageBytes: 1024 * 1024 };

describe.runIf(exhaustive)('Subjects', async () => {
  if (!exhaustive) return;
  await verifyApplicableRules({
    test,
    async serve(handler) {
      const connections = new ConnectionSet(handler);
      const ends = (from: Subject<unknown>, to: Subject<unknown>): Connection =>
        fromStreams(
          { messages$: from, send: (message) => to.next(message), close: () => to.complete() },
          { redialable: true },
        );
      const transport = createTransport('subjects', async () => {
        const [up, down] = [new ReplaySubject<unknown>(), new ReplaySubject<unknown>()];
        connections.accept(ends(up, down));
        return ends(down, up);
      });
      return { transport, close: () => connections.close() };
    },
    // Nothing slows an Observable down.
    options: {
      ...generousTimeouts,
      knownBroken: [
        'pressure/unread-waits',
        'pressure/unread-dialled',
        'pressure/close-settles',
        'pressure/peer-close-settles',
        'pressure/close-delivers',
      ],
    },
  });
});

/** What a framing of its own can break. */
const framing = /^(?:limits|garbage)\//;

/** A BroadcastChannel that can be unplugged: it neither sends nor receives then. */
class CuttableChannel extends BroadcastChannel {
  static opened: CuttableChannel[] = [];
  private isCut = false;

  constructor(name: string) {
    super(name);
    CuttableChannel.opened.push(this);
  }

  override postMessage(message: unknown): void {
    if (!this.isCut) super.postMessage(message);
  }

  cut(): void {
    this.isCut = true;
    this.onmessage = null;
  }
}

describe('a BroadcastChannel', async () => {
  // Both sides are in this process, so a busy machine delays them equally.
  const beats = { heartbeatIntervalMs: 100, closeTimeoutMs: 250, traits };
  const Plain = BroadcastChannel;
  beforeAll(() => void vi.stubGlobal('BroadcastChannel', CuttableChannel));
  afterAll(() => void vi.unstubAllGlobals());
  let rule = 0;
  await verifyApplicableRules({
    test: aboutConnections(test),
    async serve(handler) {
      const name = `tck ${String((rule += 1))}`;
      const handle = serveBroadcast(handler, name, beats);
      let isServing = true;
      const lobby = new Plain(name);
      let newest = '';
      lobby.onmessage = (event) => {
        const { data } = event as MessageEvent<string>;
        if (data.startsWith('dial ')) newest = data.slice(5);
      };
      return {
        transport: {
          name: 'broadcast',
          // Nothing reports that no server listens: such a dial ends at its deadline.
          dial: (options) =>
            broadcast(name, { ...beats, connectTimeoutMs: isServing ? 5_000 : 100 }).dial(options),
        },
        pausesReading: true,
        async close() {
          isServing = false;
          lobby.close();
          await handle.close();
          CuttableChannel.opened = [];
        },
        notInjectable: ['bytes'],
        injectFrame(towards, frame) {
          if (typeof frame !== 'string') return false;
          const channel = new Plain(`${name} ${newest} ${towards === 'served' ? 'up' : 'down'}`);
          channel.postMessage(frame);
          setTimeout(() => channel.close(), 100);
        },
        cut() {
          for (const channel of CuttableChannel.opened) if (channel.name.includes(newest)) channel.cut();
        },
      };
    },
    options: generousTimeouts,
  });
});

describe('the servers of one BroadcastChannel', () => {
  /** Serves, and counts the connections. */
  const serving = (name: string, accepted: () => void): void => {
    const handle = serveBroadcast(
      {
        accept(connection) {
          accepted();
          return echoConnectionHandler().accept(connection);
        },
      },
      name,
    );
    onTestFinished(() => handle.close());
  };

  test('may start after a client has dialled', async () => {
    const dialled = broadcast('late', { connectTimeoutMs: 10_000 }).dial();
    await new Promise(setImmediate);
    serving('late', () => undefined);
    const connection = await dialled;
    await connection.close();
  });

  test('are several, of which a client has one', async () => {
    let connections = 0;
    for (let servers = 0; servers < 3; servers += 1) serving('several', () => (connections += 1));
    for (let clients = 1; clients <= 3; clients += 1) {
      const connection = await broadcast('several').dial();
      onTestFinished(() => connection.close());
      expect(connections).toBe(clients);
    }
  });
});

describe('the IPC of a child process', async () => {
  await verifyApplicableRules({
    test: aboutConnections(test, framing),
    async serve(handler) {
      // A frame is the text of a message: Node.js itself reads the bytes, and ends the process where they are not its own.
      const relay = new Relay({ wire: 'frames', frame: (text) => text });
      const connections = new ConnectionSet(handler);
      let isStopped = false;
      const transport = createTransport('ipc', async () => {
        if (isStopped) throw new Error('it serves no longer');
        const dialled = ipcEnd(...passing(() => relayed.towardsServed));
        const served = ipcEnd(...passing(() => relayed.towardsDialled));
        const relayed = relay.join(served, dialled);
        connections.accept(overIpc(served.child, { isServer: true, traits }, () => served.ended));
        return overIpc(dialled.child, { traits }, () => dialled.ended);
      });
      return {
        transport,
        relay,
        pausesReading: true,
        notInjectable: ['bytes'],
        async close() {
          isStopped = true;
          await connections.close();
        },
      };
    },
    options: generousTimeouts,
  });
});

const passing = (flow: () => RelayedConnection['towardsServed']): Parameters<typeof ipcEnd> => [
  (text) => void flow().pass(text),
  () => flow().end(),
];

// The same connection in a process of its own: about 100 processes.
describe.runIf(exhaustive)('a program behind IPC', async () => {
  if (!exhaustive) return;
  const path = await bundled(new URL('fixtures/ipc-echo.ts', import.meta.url));
  await verifyApplicableRules({
    test,
    async serve(_handler, watch) {
      let newest: ChildProcess | undefined;
      const transport = ipc(path, (child) => {
        newest = child;
        watch.child(child);
      });
      return { transport, close: async () => undefined, cut: () => void newest?.kill('SIGKILL') };
    },
    options: { outOfProcess: true, ...generousTimeouts },
  });
});
