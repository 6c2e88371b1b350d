import type { JsonObject, Notification } from '@rxmcp/jsonrpc';
import { encode, Encoded } from '@rxmcp/jsonrpc';
import type { Lane } from '@rxmcp/transport';
import { isObject } from '../is-object.js';
import type { Writer } from '../peer/writer.js';

/** Log records that are kept for one lane. */
const maxLogs = 256;
/** All that is kept, as text. */
const maxChars = 16 * 1024 * 1024;
const lostKey = 'rxmcp/lost';

/** What waits for one lane, in order. */
interface Waiting {
  readonly words: Map<string, Encoded>;
  readonly logs: string[];
  lost: number;
}

/**
 * What a server says without being asked. While the client does not take it, a change that is told again replaces itself, the last
 * log records stay, the first of which says how many were lost, and all else waits, up to a limit of it all.
 */
export class Held {
  private readonly lanes = new Map<Lane | undefined, Waiting>();
  private chars = 0;
  private count = 0;

  /** @param overflow - called when more would have to wait than is kept */
  constructor(
    private readonly writer: Writer,
    private readonly overflow: () => void,
  ) {}

  /** @param scope - keeps apart what is told under different names */
  send(message: Notification, lane: Lane | undefined, scope: string): void {
    if (this.writer.saturated(lane)) this.hold(message, lane, scope);
    else void this.writer.send(message, lane === undefined ? undefined : { lane });
  }

  private hold(message: Notification, lane: Lane | undefined, scope: string): void {
    const waiting = this.waitingOn(lane);
    const { words, logs } = waiting;
    const key = this.keyOf(message, scope);
    if (message.method === 'notifications/message' && logs.push(key) > maxLogs) {
      this.remove(words, logs.shift());
      waiting.lost += 1;
    }
    this.remove(words, key);
    const text = encode(message);
    words.set(key, new Encoded(text));
    this.chars += text.length;
    if (this.chars > maxChars) this.overflow();
  }

  private keyOf({ method, params }: Notification, scope: string): string {
    if (!/\/(list_changed|updated)$/.test(method)) return String((this.count += 1));
    const uri = params?.uri;
    return `${scope}${method} ${typeof uri === 'string' ? uri : ''}`;
  }

  private remove(words: Map<string, Encoded>, key: string | undefined): void {
    if (key === undefined) return;
    this.chars -= words.get(key)?.text.length ?? 0;
    words.delete(key);
  }

  private waitingOn(lane: Lane | undefined): Waiting {
    let waiting = this.lanes.get(lane);
    if (waiting === undefined) {
      waiting = { words: new Map(), logs: [], lost: 0 };
      this.lanes.set(lane, waiting);
      this.writer.onDrain(lane, () => this.flush(lane));
    }
    return waiting;
  }

  private flush(lane: Lane | undefined): void {
    const waiting = this.lanes.get(lane);
    if (waiting === undefined) return;
    this.lanes.delete(lane);
    const { words, logs, lost } = waiting;
    const envelope = lane === undefined ? undefined : { lane };
    for (const [key, word] of words) {
      this.chars -= word.text.length;
      void this.writer.send(lost > 0 && key === logs[0] ? telling(word, lost) : word, envelope);
    }
  }
}

/** A record that says how many before it were lost, besides those that its server knows of. */
function telling({ message }: Encoded, lost: number): Notification {
  const { params = {}, ...rest } = message as Notification;
  const meta: JsonObject = isObject(params._meta) ? params._meta : {};
  const before = meta[lostKey];
  const all = lost + (typeof before === 'number' ? before : 0);
  return { ...rest, params: { ...params, _meta: { ...meta, [lostKey]: all } } };
}
