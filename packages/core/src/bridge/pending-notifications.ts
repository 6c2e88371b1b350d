import { encode, EncodedMessage } from '@rxmcp/jsonrpc';
import type { JsonObject, JsonRpcNotification } from '@rxmcp/jsonrpc';
import type { Lane } from '@rxmcp/transport';
import { isObject } from '../base/checks.js';
import { lostLogsKey } from '../contract/report-items.js';
import type { BacklogWriter } from '../peer/backlog-writer.js';

/** Log records that are kept for one lane. */
const maxLogs = 256;
/** All that is kept for one lane, and for all of them together, as text. */
const maxLaneChars = 16 * 1024 * 1024;
const maxChars = 4 * maxLaneChars;

/** What waits for one lane, in order. */
interface Waiting {
  readonly words: Map<string, EncodedMessage>;
  readonly logs: string[];
  readonly flush: () => void;
  chars: number;
  lost: number;
}

/**
 * What a server says without being asked. While the client does not take it, a change that is told again replaces itself, the
 * last log records stay, the first of which says how many were lost, and all else waits. Beyond a limit the oldest records of
 * that lane go, or of the lane on which most waits; where that is not enough the lane is given up.
 */
export class OutboundBuffer {
  private readonly lanes = new Map<Lane | undefined, Waiting>();
  private chars = 0;
  private count = 0;

  /** @param overflow - called when more would have to wait for a lane than is kept; what waited for it is gone */
  constructor(
    private readonly writer: BacklogWriter,
    private readonly overflow: (lane: Lane | undefined) => void,
  ) {}

  /** @param scope - keeps apart what is told under different names */
  send(message: JsonRpcNotification, lane: Lane | undefined, scope: string): void {
    if (this.writer.saturated(lane)) this.hold(message, lane, scope);
    else void this.writer.send(message, lane === undefined ? undefined : { lane });
  }

  /** Sends what waits for a lane: the client takes it again, or what is sent next must not overtake it. */
  flush(lane: Lane | undefined): void {
    const waiting = this.takeOut(lane);
    if (waiting === undefined) return;
    const { words, logs, lost } = waiting;
    const envelope = lane === undefined ? undefined : { lane };
    for (const [key, word] of words)
      void this.writer.send(lost > 0 && key === logs[0] ? telling(word, lost) : word, envelope);
  }

  /** Forgets what waits for a lane. */
  drop(lane: Lane | undefined): void {
    this.takeOut(lane);
  }

  /** Forgets everything. */
  clear(): void {
    for (const lane of [...this.lanes.keys()]) this.drop(lane);
  }

  private takeOut(lane: Lane | undefined): Waiting | undefined {
    const waiting = this.lanes.get(lane);
    if (waiting === undefined) return undefined;
    this.lanes.delete(lane);
    this.chars -= waiting.chars;
    this.writer.offDrain(lane, waiting.flush);
    return waiting;
  }

  private hold(message: JsonRpcNotification, lane: Lane | undefined, scope: string): void {
    const waiting = this.waitingOn(lane);
    const key = this.keyOf(message, scope);
    if (message.method === 'notifications/message' && waiting.logs.push(key) > maxLogs) this.loseLog(waiting);
    this.remove(waiting, key);
    const word = new EncodedMessage(encode(message));
    waiting.words.set(key, word);
    this.add(waiting, word.text.length);
    if (waiting.chars > maxLaneChars) this.relieve(lane, waiting);
    else if (this.chars > maxChars) this.relieve(...this.fullest(lane, waiting));
  }

  // Whoever makes the others wait gives way.
  private relieve(lane: Lane | undefined, waiting: Waiting): void {
    const isTooMuch = (): boolean => waiting.chars > maxLaneChars || this.chars > maxChars;
    while (isTooMuch() && waiting.logs.length > 0) this.loseLog(waiting);
    if (!isTooMuch()) return;
    this.drop(lane);
    this.overflow(lane);
  }

  private fullest(lane: Lane | undefined, waiting: Waiting): [Lane | undefined, Waiting] {
    let found: [Lane | undefined, Waiting] = [lane, waiting];
    for (const each of this.lanes) if (each[1].chars > found[1].chars) found = each;
    return found;
  }

  private keyOf({ method, params }: JsonRpcNotification, scope: string): string {
    if (!/\/(list_changed|updated)$/.test(method)) return String((this.count += 1));
    const uri = params?.uri;
    return `${scope}${method} ${typeof uri === 'string' ? uri : ''}`;
  }

  private loseLog(waiting: Waiting): void {
    this.remove(waiting, waiting.logs.shift());
    waiting.lost += 1;
  }

  private remove(waiting: Waiting, key: string | undefined): void {
    if (key === undefined) return;
    this.add(waiting, -(waiting.words.get(key)?.text.length ?? 0));
    waiting.words.delete(key);
  }

  private add(waiting: Waiting, chars: number): void {
    waiting.chars += chars;
    this.chars += chars;
  }

  private waitingOn(lane: Lane | undefined): Waiting {
    let waiting = this.lanes.get(lane);
    if (waiting === undefined) {
      waiting = { words: new Map(), logs: [], flush: () => this.flush(lane), chars: 0, lost: 0 };
      this.lanes.set(lane, waiting);
      this.writer.onDrain(lane, waiting.flush);
    }
    return waiting;
  }
}

/** A record that says how many before it were lost, besides those that its server knows of. */
function telling({ message }: EncodedMessage, lost: number): JsonRpcNotification {
  const { params = {}, ...rest } = message as JsonRpcNotification;
  const meta: JsonObject = isObject(params._meta) ? params._meta : {};
  const before = meta[lostLogsKey];
  const all = lost + (typeof before === 'number' ? before : 0);
  return { ...rest, params: { ...params, _meta: { ...meta, [lostLogsKey]: all } } };
}
