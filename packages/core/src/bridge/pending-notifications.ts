import { encode, EncodedMessage } from '@rxmcp/jsonrpc';
import { maxKeyLength } from '../base/key-length.js';
import type { JsonObject, JsonRpcNotification } from '@rxmcp/jsonrpc';
import type { Lane } from '@rxmcp/transport';
import type { HeldBytes } from '@rxmcp/transport/internal';
import { isObject } from '../base/checks.js';
import { lostLogsKey } from '../contract/report-items.js';
import type { BacklogWriter } from '../peer/backlog-writer.js';

/** Log records kept per lane. */
const maxLogs = 256;
/** Text kept per lane, and for all lanes together. */
const maxLaneChars = 16 * 1024 * 1024;
const maxChars = 4 * maxLaneChars;
/** Text that a lane may keep whatever else its caller holds: for so little no connection is ended. */
const maxUnchargedChars = 64 * 1024;
/** What a message takes in addition to its text, in bytes. */
const messageBytes = 256;

/** What waits for one lane, in order. */
interface Waiting {
  readonly messages: Map<string, EncodedMessage>;
  readonly logs: string[];
  readonly flush: () => void;
  /** What is charged to the caller of the lane. */
  readonly held: HeldBytes;
  chars: number;
  lost: number;
}

/**
 * Buffers the notifications of a server while the client does not read. A change replaces an earlier notification
 * of the same change. The last log records are kept; the first of them counts the lost ones. Everything else waits.
 * What waits is charged. Beyond a limit, or the memory of its caller, the buffer drops the oldest log records of the lane, or of the
 * fullest lane; if that is not enough, it drops the lane.
 */
export class OutboundBuffer {
  readonly #lanes = new Map<Lane | undefined, Waiting>();
  #chars = 0;
  #count = 0;

  /**
   * @param heldFor - returns what charges the caller of a lane
   * @param overflow - called after the buffer dropped what waited for a lane because a limit was exceeded
   */
  constructor(
    private readonly writer: BacklogWriter,
    private readonly heldFor: (lane: Lane | undefined) => HeldBytes,
    private readonly overflow: (lane: Lane | undefined) => void,
  ) {}

  /** @param scope - keeps changes of different subscriptions apart */
  send(message: JsonRpcNotification, lane: Lane | undefined, scope: string): void {
    if (this.writer.saturated(lane)) this.#hold(message, lane, scope);
    else void this.writer.send(message, lane === undefined ? undefined : { lane });
  }

  /** Sends what waits for a lane: when the client reads again, or before a message that must not overtake it. */
  flush(lane: Lane | undefined): void {
    const waiting = this.#takeOut(lane);
    if (waiting === undefined) return;
    const { messages, logs, lost } = waiting;
    const sendOptions = lane === undefined ? undefined : { lane };
    for (const [key, encoded] of messages)
      void this.writer.send(
        lost > 0 && key === logs[0] ? withLostCount(encoded, lost) : encoded,
        sendOptions,
      );
  }

  /** Drops what waits for a lane. */
  drop(lane: Lane | undefined): void {
    this.#takeOut(lane);
  }

  /** Drops everything. */
  clear(): void {
    for (const lane of [...this.#lanes.keys()]) this.drop(lane);
  }

  #takeOut(lane: Lane | undefined): Waiting | undefined {
    const waiting = this.#lanes.get(lane);
    if (waiting === undefined) return undefined;
    this.#lanes.delete(lane);
    this.#chars -= waiting.chars;
    waiting.held.resize(0);
    this.writer.offDrain(lane, waiting.flush);
    return waiting;
  }

  #hold(message: JsonRpcNotification, lane: Lane | undefined, scope: string): void {
    const waiting = this.#waitingOn(lane);
    const key = this.#keyOf(message, scope);
    if (message.method === 'notifications/message' && waiting.logs.push(key) > maxLogs)
      this.#loseLog(waiting);
    this.#remove(waiting, key);
    const encoded = new EncodedMessage(encode(message));
    waiting.messages.set(key, encoded);
    this.#add(waiting, encoded.text.length);
    if (exceedsItsLane(waiting)) this.#relieve(lane, waiting);
    else if (this.#chars > maxChars) this.#relieve(...this.#fullest(lane, waiting));
  }

  // Drops from the lane that exceeds its limit, or from the fullest one.
  #relieve(lane: Lane | undefined, waiting: Waiting): void {
    const isTooMuch = (): boolean => exceedsItsLane(waiting) || this.#chars > maxChars;
    while (isTooMuch() && waiting.logs.length > 0) this.#loseLog(waiting);
    if (!isTooMuch()) return;
    this.drop(lane);
    this.overflow(lane);
  }

  #fullest(lane: Lane | undefined, waiting: Waiting): [Lane | undefined, Waiting] {
    let found: [Lane | undefined, Waiting] = [lane, waiting];
    for (const each of this.#lanes) if (each[1].chars > found[1].chars) found = each;
    return found;
  }

  #keyOf({ method, params }: JsonRpcNotification, scope: string): string {
    if (!/\/(list_changed|updated)$/.test(method)) return String((this.#count += 1));
    const uri = params?.uri;
    const key = `${scope}${method} ${typeof uri === 'string' ? uri : ''}`;
    return key.length > maxKeyLength ? String((this.#count += 1)) : key;
  }

  #loseLog(waiting: Waiting): void {
    this.#remove(waiting, waiting.logs.shift());
    waiting.lost += 1;
  }

  #remove(waiting: Waiting, key: string | undefined): void {
    if (key === undefined) return;
    this.#add(waiting, -(waiting.messages.get(key)?.text.length ?? 0));
    waiting.messages.delete(key);
  }

  #add(waiting: Waiting, chars: number): void {
    waiting.chars += chars;
    this.#chars += chars;
  }

  #waitingOn(lane: Lane | undefined): Waiting {
    let waiting = this.#lanes.get(lane);
    if (waiting === undefined) {
      const held = this.heldFor(lane);
      waiting = { messages: new Map(), logs: [], flush: () => this.flush(lane), held, chars: 0, lost: 0 };
      this.#lanes.set(lane, waiting);
      this.writer.onDrain(lane, waiting.flush);
    }
    return waiting;
  }
}

/** Charges for what waits, and returns whether it exceeds a limit of its lane or the memory of its caller. */
function exceedsItsLane({ chars, messages, held }: Waiting): boolean {
  const isCharged = held.resize(2 * chars + messageBytes * messages.size);
  return chars > maxLaneChars || (!isCharged && chars > maxUnchargedChars);
}

/** Returns a log record that counts the records lost before it, in addition to those that its server counted. */
function withLostCount({ message }: EncodedMessage, lost: number): JsonRpcNotification {
  const { params = {}, ...rest } = message as JsonRpcNotification;
  const meta: JsonObject = isObject(params._meta) ? params._meta : {};
  const before = meta[lostLogsKey];
  const all = lost + (typeof before === 'number' ? before : 0);
  return { ...rest, params: { ...params, _meta: { ...meta, [lostLogsKey]: all } } };
}
