import { createValueConnection } from '../channel/channel.js';
import type { ConnectionHandler, Connection, Transport } from '../contract/contract.js';
import { notSentError, TransportError } from '../contract/error.js';
import { type ServeHandle, ConnectionSet } from '../connection/connection-set.js';
import { pipeTraits, type Traits } from '../contract/traits.js';
import { connectionHolder } from '../memory/held-bytes.js';
import { processMemory } from '../memory/memory-budget.js';
import { UnreadOutput } from '../memory/unread-output.js';
import { SdkChannel } from './sdk-channel.js';
import type { SdkTransport } from './sdk-transport.js';

/** Options of {@link fromSdkTransport}. */
export interface FromSdkTransportOptions {
  /** The name of the transport in errors and logs. @default 'sdk' */
  readonly name?: string;
  /** Overrides of `pipeTraits` with `maxMessageBytes: Infinity`. @default {} */
  readonly traits?: Partial<Traits>;
}

/**
 * Converts a transport of the official SDK's interface. Such a transport cannot start twice: pass a function that creates one for
 * each dial, or a transport that can be dialled once. A rejection of `start` becomes a `DIAL_FAILED`, a rejection of `send` a
 * `SEND_FAILED`. An error that `onerror` reports becomes a fault, and the cause of the end where `onclose` follows it.
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
    // The dial was aborted meanwhile, so no other code closes this transport.
    if (signal?.aborted === true) await transport.close();
    signal?.throwIfAborted();
    channel = new SdkChannel(transport, traits.holder);
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

/** Creates a connection over a transport of the SDK's interface. */
function createSdkConnection(channel: SdkChannel, traits: Partial<Traits>): Connection {
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
 * Serves the one client of a transport of the official SDK's interface. The transport starts with the connection; where it fails
 * to start, the connection ends with `DIAL_FAILED`. Messages that the transport has not accepted are charged to `traits.holder` in
 * the memory of the process; where that is rejected, the connection ends with `OVERFLOW`.
 */
export function serveSdkTransport(
  handler: ConnectionHandler,
  transport: SdkTransport,
  { traits = {} }: { readonly traits?: Partial<Traits> } = {},
): ServeHandle {
  const connections = new ConnectionSet(handler);
  const { holder = connectionHolder() } = traits;
  const channel = new SdkChannel(transport, holder, new UnreadOutput(processMemory(), holder));
  connections.accept(createSdkConnection(channel, { ...traits, holder, redialable: false }));
  return connections;
}
