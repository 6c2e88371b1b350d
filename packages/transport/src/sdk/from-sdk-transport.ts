import { createValueConnection } from '../channel.js';
import type { ConnectionHandler, Connection, Transport } from '../contract.js';
import { notSentError, TransportError } from '../error.js';
import { type ServeHandle, ConnectionSet } from '../connection-set.js';
import { pipeTraits, type Traits } from '../traits.js';
import { SdkChannel } from './sdk-channel.js';
import type { SdkTransport } from './sdk-transport.js';

/** Options of {@link fromSdkTransport}. */
export interface FromSdkTransportOptions {
  /** What it is called in errors and logs. @default 'sdk' */
  readonly name?: string;
  /** Where it differs from an ordinary pipe without a limit on its messages. @default {} */
  readonly traits?: Partial<Traits>;
}

/**
 * Makes our transport of one that was written for the guides' interface. Given a function, each dial makes a new one, since
 * such a transport cannot be started twice; one that is given itself can be dialled once. What `start` rejects with is a
 * `DIAL_FAILED`, what `send` rejects with a `SEND_FAILED`; what is told by `onerror` is a fault, and the cause of the end where
 * `onclose` follows it.
 */
export function fromSdkTransport(
  source: SdkTransport | (() => SdkTransport | Promise<SdkTransport>),
  { name = 'sdk', traits = {} }: FromSdkTransportOptions = {},
): Transport {
  let used = false;
  return {
    name,
    async dial({ signal } = {}) {
      if (signal?.aborted === true) throw aborted(signal);
      if (typeof source === 'function') {
        return begun(async () => source(), signal, { redialable: true, ...traits });
      }
      if (used)
        throw failed(new Error('the transport was dialled already: pass a function that makes a new one'));
      used = true;
      return begun(async () => source, signal, { redialable: false, ...traits });
    },
  };
}

async function begun(
  make: () => Promise<SdkTransport>,
  signal: AbortSignal | undefined,
  traits: Partial<Traits>,
): Promise<Connection> {
  let channel: SdkChannel | undefined;
  const connected = async (): Promise<SdkChannel> => {
    const transport = await make();
    // Made too late: nobody else knows of it.
    if (signal?.aborted === true) await transport.close();
    signal?.throwIfAborted();
    channel = new SdkChannel(transport);
    await channel.connect();
    return channel;
  };
  let unwanted = (): void => undefined;
  const abort = new Promise<never>((_resolve, reject) => {
    unwanted = () => reject(aborted(signal));
    if (signal?.aborted === true) unwanted();
    signal?.addEventListener('abort', unwanted);
  });
  try {
    return createSdkConnection(await Promise.race([connected(), abort]), traits);
  } catch (cause) {
    channel?.close().catch(() => undefined);
    throw failed(cause);
  } finally {
    signal?.removeEventListener('abort', unwanted);
  }
}

/** A connection over such a transport. */
export function createSdkConnection(channel: SdkChannel, traits: Partial<Traits>): Connection {
  const all: Traits = { ...pipeTraits, maxMessageBytes: Number.POSITIVE_INFINITY, ...traits };
  return createValueConnection(channel, all);
}

function failed(cause: unknown): TransportError {
  return TransportError.from(cause, 'DIAL_FAILED');
}

function aborted(signal: AbortSignal | undefined): TransportError {
  return notSentError('DIAL_ABORTED', 'the dial was aborted', signal?.reason);
}

/**
 * Serves the one client at the other end of a transport that was written for the guides' interface. It is started when the
 * server listens; one that cannot be started ends the connection with `DIAL_FAILED`.
 */
export function serveSdkTransport(
  handler: ConnectionHandler,
  transport: SdkTransport,
  { traits = {} }: { readonly traits?: Partial<Traits> } = {},
): ServeHandle {
  const connections = new ConnectionSet(handler);
  connections.accept(createSdkConnection(new SdkChannel(transport), { ...traits, redialable: false }));
  return connections;
}
