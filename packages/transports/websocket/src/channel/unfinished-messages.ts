import {
  type IncomingMessagesOptions,
  setUnrefTimeout,
  type UnfinishedMessage,
  type UnfinishedMessageBudget,
} from '@rxmcp/transport/internal';
import type { WebSocket } from 'ws';
import { holdChunks, parseChunks, progressOf } from './private-state.js';

/** What a fragment and a chunk take in addition to their bytes. */
const overheadBytes = 128;

/** What happens to a connection because of its unfinished message. */
export interface UnfinishedMessageLimits {
  readonly budget: UnfinishedMessageBudget;
  /** The name under which the message is charged. */
  readonly holder: string;
  /** How long a message may take from its first byte, in milliseconds. @default for ever */
  readonly timeoutMs?: number;
  /** Called once when this message must make room. It must destroy the connection. */
  exceeded(message: string): void;
  late(): void;
}

/**
 * Counts what a connection holds of messages that have not come in full. A few bytes that are kept of a chunk keep all of it, so
 * it is chunks that are counted. Those of pings and pongs alone are not kept.
 */
export class UnfinishedMessages implements UnfinishedMessage {
  /** Bytes that are charged. */
  heldBytes = 0;
  #hasFinished = false;
  /** Length of the frames that were read of the message, without the one on its way. */
  #read = 0;
  /** Bytes of the chunks that those frames came in. */
  #keptByFrames = 0;
  /** Bytes of the chunks that were not read to their end. */
  #keptByRest = 0;
  /** What messages took that came in full and wait to be delivered. */
  #waitingBytes = 0;
  /** What a chunk takes that waits to be parsed. */
  #unparsedBytes = 0;
  #alarm: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly ws: WebSocket,
    private readonly limits: UnfinishedMessageLimits,
  ) {
    ws.on('close', () => {
      this.#stop();
    });
  }

  get holder(): string {
    return this.limits.holder;
  }

  /** A message came in full. What it takes stays charged while it waits to be delivered. */
  finished(isWaiting: boolean): void {
    this.#hasFinished = true;
    this.#read = 0;
    if (isWaiting) this.#waitingBytes = this.heldBytes;
    this.#keep(0, 0, 0);
  }

  /** No message waits to be delivered any more. */
  taken(): void {
    const held = this.heldBytes - this.#waitingBytes;
    this.#waitingBytes = 0;
    this.#hold(held);
  }

  /** Releases everything and ends the connection. */
  cut(message: string): void {
    this.#stop();
    this.limits.exceeded(message);
  }

  /** A chunk of so many bytes waits to be parsed; 0 once it is parsed next. */
  unparsed(length: number): void {
    const bytes = length === 0 ? 0 : length + overheadBytes;
    if (this.#hold(this.heldBytes - this.#unparsedBytes + bytes)) this.#unparsedBytes = bytes;
  }

  /** A chunk of so many bytes was parsed. */
  parsed(length: number): void {
    // What has waited to be parsed is parsed once the connection is over.
    if (this.ws.readyState === this.ws.CLOSED) return;
    const { read, rest, fragments } = progressOf(this.ws, this.#hasFinished ? 0 : length);
    const isKept = read > this.#read;
    this.#hasFinished = false;
    this.#read = read;
    const frames = this.#keptByFrames;
    const before = this.#keptByRest;
    const cost = length + overheadBytes;
    if (rest >= length) this.#keep(frames, before + cost, fragments);
    else if (rest > 0) this.#keep(isKept ? frames + before : frames, cost, fragments);
    else this.#keep(isKept ? frames + before + cost : frames, 0, fragments);
  }

  #stop(): void {
    this.#waitingBytes = 0;
    this.#unparsedBytes = 0;
    this.#keep(0, 0, 0);
  }

  #keep(byFrames: number, byRest: number, fragments: number): void {
    const bytes = byFrames + byRest + fragments * overheadBytes;
    if (!this.#hold(this.#waitingBytes + bytes)) return;
    this.#keptByFrames = byFrames;
    this.#keptByRest = byRest;
    const { late, timeoutMs } = this.limits;
    if (bytes === 0) {
      clearTimeout(this.#alarm);
      this.#alarm = undefined;
    } else if (timeoutMs !== undefined) this.#alarm ??= setUnrefTimeout(late, timeoutMs);
  }

  #hold(bytes: number): boolean {
    if (bytes === this.heldBytes) return true;
    if (!this.limits.budget.hold(this, bytes)) return false;
    this.heldBytes = bytes;
    return true;
  }
}

/** Keeps chunks of a socket from being parsed, and charges for them. */
export function chunkParser(ws: WebSocket, counted: UnfinishedMessages): IncomingMessagesOptions['parser'] {
  return {
    hold: () => holdChunks(ws),
    parse(length) {
      counted.unparsed(0);
      parseChunks(ws);
      counted.parsed(length);
    },
  };
}
