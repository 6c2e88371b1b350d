import { createValueConnection, copyAsJson } from './channel.js';
import type { ChannelSource } from './channel-contract.js';
import type { Connection, OutgoingMessage } from './contract.js';
import { TransportError } from './error.js';
import type { Traits } from './traits.js';
import { pipeTraits } from './traits.js';
import { TaskQueue } from './task-queue.js';

/** Messages that come as an Observable, or anything else with `subscribe`, and a way to send some. */
export interface MessageStreams {
  /** Subscribed to when the connection starts. Its completion is an orderly end, its error a loss. */
  readonly messages$: { subscribe(observer: MessageObserver): { unsubscribe(): void } };
  /** Takes a copy of one message. A promise is backpressure; what it rejects with is `SEND_FAILED`. */
  send(message: unknown): Promise<void> | void;
  /** Tells the other side of the end; `messages$` is left by then. */
  close?(): Promise<void> | void;
}

type MessageObserver = { next(message: unknown): void; error(cause: unknown): void; complete(): void };

/**
 * A connection over an Observable of messages and a function that sends one. `messages$` is subscribed to at `start`: a hot
 * Subject loses what it emits before, and nothing holds it back where its reader is slow.
 *
 * @param traits What differs from `pipeTraits` with `redialable: false` and `maxMessageBytes: Infinity`, which are the default.
 */
export function fromStreams(streams: MessageStreams, traits: Partial<Traits> = {}): Connection {
  const turns = new TaskQueue();
  let subscription: { unsubscribe(): void } | undefined;
  const channel: ChannelSource<OutgoingMessage> = (sink) => ({
    start() {
      subscription = streams.messages$.subscribe({
        next: (message) => turns.later(() => sink.value(message)),
        error: (cause) => turns.later(() => sink.closed(TransportError.from(cause, 'CONNECTION_LOST'))),
        complete: () => turns.later(() => sink.closed()),
      });
    },
    send: (message) => streams.send(copyAsJson(message)),
    close: () => (subscription?.unsubscribe(), streams.close?.()),
  });
  const unlimited: Traits = { ...pipeTraits, maxMessageBytes: Number.POSITIVE_INFINITY, redialable: false };
  return createValueConnection(channel, { ...unlimited, ...traits });
}
