import type { Socket } from 'node:net';
import type { Connection, MemoryBudget, ServedConnection } from '@rxmcp/transport';
import { onTestFinished, vi } from 'vitest';
import { turnsUntil } from '../../../../vitest.turns.js';
import { serveWebSocket, type ServeWebSocketOptions, type WebSocketServeHandle } from '../src/node.js';
import { connectionHandler, recording, type Recording } from '@rxmcp/transport-tck/recording';

/** One connection as the serving side has it. */
export interface Accepted {
  readonly connection: Connection;
  readonly record: Recording;
}

/** A server that writes down what happens on its connections; it is closed with the test. */
export interface Stand extends WebSocketServeHandle {
  readonly accepted: readonly Accepted[];
  /** Waits for the connection with that number, counted from 0. */
  connection(at?: number): Promise<Accepted>;
}

/** Serves. Each connection has work under way until `worked`. */
export async function stand(
  options: ServeWebSocketOptions = {},
  memory?: MemoryBudget,
  worked: Promise<void> = Promise.resolve(),
): Promise<Stand> {
  const accepted: Accepted[] = [];
  const acceptor = connectionHandler((connection) => {
    const record = recording();
    accepted.push({ connection, record });
    return record;
  });
  const accept = (connection: Connection): ServedConnection => ({
    ...acceptor.accept(connection),
    drain: () => worked,
  });
  const serving = await serveWebSocket({ ...acceptor, accept, ...(memory && { memory }) }, options);
  onTestFinished(() => serving.close());
  return {
    ...serving,
    accepted,
    async connection(at = 0) {
      await turnsUntil(() => accepted.length > at);
      return accepted[at] as Accepted;
    },
  };
}

/** A real timer, whatever a test does to the clock. */
const { setTimeout: realTimeout } = globalThis;

/** Lets the network work, without virtual time passing. */
export function breathe(ms = 5): Promise<void> {
  return new Promise((resolve) => void realTimeout(resolve, ms));
}

export { turnsUntil };

/** Resolves once a server of this process has read all that a socket was given: what left it is read in the next turns. */
export async function isRead(socket: Socket): Promise<void> {
  await turnsUntil(() => socket.writableLength === 0);
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Virtual time for this test: timers and the monotonic clock, while the network runs as usual. */
export function virtualTime(): void {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
  });
  onTestFinished(() => void vi.useRealTimers());
}

/** Lets virtual time pass in steps of a second, the network working in between. */
export async function pass(ms: number, idleTimeoutMs = 1_000): Promise<void> {
  for (let passed = 0; passed < ms; passed += idleTimeoutMs) {
    await vi.advanceTimersByTimeAsync(Math.min(idleTimeoutMs, ms - passed));
    await breathe(1);
  }
}
