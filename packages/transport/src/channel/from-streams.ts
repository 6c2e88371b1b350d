import { createValueConnection, copyAsJson } from './channel.js';
import type { ChannelSource } from './channel-contract.js';
import type { Connection, OutgoingMessage } from '../contract/contract.js';
import { TransportError } from '../contract/error.js';
import { estimateMessageBytes } from '../memory/estimate.js';
import type { Traits } from '../contract/traits.js';
import { pipeTraits } from '../contract/traits.js';
import { TaskQueue } from '../base/task-queue.js';

/** Receives messages from an Observable, or anything else with `subscribe`, and sends messages with a function. */
export interface MessageStreams {
  /** The received messages, subscribed to at `start`. Its completion is an orderly end, its error a `CONNECTION_LOST`. */
  readonly messages$: { subscribe(observer: MessageObserver): { unsubscribe(): void } };
  /** Sends a copy of one message. A returned promise is backpressure; its rejection becomes a `SEND_FAILED`. */
  send(message: unknown): Promise<void> | void;
  /** Notifies the other side of the end, after `messages$` was unsubscribed. */
  close?(): Promise<void> | void;
}

type MessageObserver = { next(message: unknown): void; error(cause: unknown): void; complete(): void };

/**
 * Creates a connection from an Observable of messages and a function that sends one. `messages$` is subscribed to at `start`:
 * values that a hot Subject emits before are lost. A slow reader does not slow it down.
 *
 * @param traits Overrides of the default: `pipeTraits` with `redialable: false` and `maxMessageBytes: Infinity`.
 */
export function fromStreams(streams: MessageStreams, traits: Partial<Traits> = {}): Connection {
  const turns = new TaskQueue();
  let subscription: { unsubscribe(): void } | undefined;
  const channel: ChannelSource<OutgoingMessage> = (sink) => ({
    start() {
      subscription = streams.messages$.subscribe({
        next: (message) => turns.later(() => sink.value(message, undefined, estimateMessageBytes(message))),
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
