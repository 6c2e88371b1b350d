import type { Duplex } from 'node:stream';
import {
  clientMessages,
  connectionHolder,
  rejectUnknownOptions,
  UnreadOutput,
} from '@rxmcp/transport/internal';
import { type Connection, createConnection, type MemoryBudget, pipeTraits } from '@rxmcp/transport';
import type { LineMemory } from '../pipe/incoming-lines.js';
import { DuplexChannel } from './duplex-channel.js';

/** Options of {@link duplexConnection}. */
export interface DuplexConnectionOptions {
  /** The other side dialled, and this one serves it. @default false */
  readonly isServer?: boolean;
  /** Largest message in either direction, in bytes. @default 10485760 */
  readonly maxMessageBytes?: number;
  /** How long to wait for the other side to read before the connection ends with `STALLED`, in milliseconds. @default 30000 */
  readonly writeTimeoutMs?: number;
  /** How long a served side waits for the first message, in milliseconds, before `STALLED`. @default 10000 */
  readonly firstMessageTimeoutMs?: number;
  /** Who is at the other end. @default anonymous */
  readonly principal?: string;
  /** Whether what dialled it can dial again. @default false */
  readonly redialable?: boolean;
}

const knownOptions: Record<keyof DuplexConnectionOptions, true> = {
  isServer: true,
  maxMessageBytes: true,
  writeTimeoutMs: true,
  firstMessageTimeoutMs: true,
  principal: true,
  redialable: true,
};

/**
 * A connection over any stream of bytes that goes both ways, in the framing of stdio: one message per line. The end of what
 * comes is an orderly end; a stream that closes before it ends the connection with `CONNECTION_LOST`. The stream belongs to
 * the connection. MCP basic, transports, custom transports.
 */
export function duplexConnection(stream: Duplex, options: DuplexConnectionOptions = {}): Connection {
  rejectUnknownOptions('duplexConnection', options, knownOptions, {
    served: 'isServer',
    stallMs: 'writeTimeoutMs',
  });
  return createDuplexConnection(stream, options);
}

/** The account of a served connection. */
export interface ConnectionMemory extends LineMemory {
  /** Charged for what the other side does not read. */
  readonly memory: MemoryBudget;
}

/** {@link duplexConnection} for options that are checked and may have others. */
export function createDuplexConnection(
  stream: Duplex,
  options: DuplexConnectionOptions,
  account?: ConnectionMemory,
): Connection {
  const {
    isServer = false,
    maxMessageBytes = pipeTraits.maxMessageBytes,
    writeTimeoutMs = 30_000,
    firstMessageTimeoutMs = 10_000,
    principal,
    redialable = false,
  } = options;
  const unread = account && new UnreadOutput(account.memory, account.holder);
  const memory = account ?? { unfinished: clientMessages(), holder: connectionHolder() };
  const parts = { isServer, maxMessageBytes, writeTimeoutMs, firstMessageTimeoutMs, memory, unread };
  return createConnection((sink) => new DuplexChannel(stream, parts, sink), {
    ...pipeTraits,
    maxMessageBytes,
    redialable,
    ...(principal === undefined ? {} : { principal }),
    ...(account === undefined ? {} : { holder: account.holder }),
  });
}

/**
 * How long a connection may be silent before the system asks whether the other side is still there. It asks ten times, once
 * per second, so that a side that stops without closing is noticed after 25 s.
 */
export const keepAliveMs = 15_000;
