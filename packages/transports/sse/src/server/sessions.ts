import { type Acceptor, connectionOf, type DrainOptions, type ServeHandle, Serving } from '@rxmcp/transport';
import { defaultMaxMessageBytes, sseTraits } from '../traits.js';
import { type Answer, failed, overloaded } from './answer.js';
import { Budget } from '@rxmcp/transport/guard';
import type { EventOut } from './event-writer.js';
import { endpointParts, type SseServerOptions } from './options.js';
import { Session, unknownSession } from './session.js';

interface Entry {
  readonly session: Session;
  readonly principal: string | undefined;
}

const idBytes = 16;

/** The sessions of one serving side, by ids that nobody can guess. */
export class Sessions implements ServeHandle {
  readonly maxMessageBytes: number;
  /** What may be held of bodies that are being read. */
  readonly budget: Budget;
  /** The path that messages are posted to. */
  readonly path: string;
  private readonly prefix: string;
  private readonly options: SseServerOptions;
  private readonly entries = new Map<string, Entry>();
  private readonly serving: Serving;
  private isStopped = false;

  constructor(acceptor: Acceptor, options: SseServerOptions, defaultBufferedBytes: number) {
    this.options = options;
    this.maxMessageBytes = options.maxMessageBytes ?? defaultMaxMessageBytes;
    const { maxBufferedBytes = defaultBufferedBytes } = options;
    this.budget = new Budget(Math.max(maxBufferedBytes, this.maxMessageBytes));
    ({ path: this.path, prefix: this.prefix } = endpointParts(options.messages ?? '/messages'));
    this.serving = new Serving(acceptor, () => {
      this.isStopped = true;
    });
  }

  /** Why no session can be opened now, if none can. */
  refuse(): Answer | undefined {
    if (this.isStopped) return overloaded('this server is stopping');
    const { maxSessions = 10_000 } = this.options;
    return this.entries.size < maxSessions ? undefined : overloaded('there are too many sessions');
  }

  /** Opens a session on a response; nothing of it is written where that fails. */
  open(out: EventOut, principal: string | undefined): Session | Answer {
    const { keepAliveMs = 15_000, stallMs = 30_000, firstMessageMs = 60_000 } = this.options;
    const id = newId();
    const parts = {
      out,
      endpoint: this.prefix + id,
      keepAliveMs,
      stallMs,
      firstMessageMs,
      ended: () => void this.entries.delete(id),
    };
    const own = { maxMessageBytes: this.maxMessageBytes, redialable: false };
    const traits = sseTraits(principal === undefined ? own : { ...own, principal });
    let session: Session | undefined;
    const connection = connectionOf((sink) => (session = new Session(sink, parts)), traits);
    const opened = session as unknown as Session;
    this.entries.set(id, { session: opened, principal });
    try {
      this.serving.accept(connection);
    } catch {
      // Its own business, and no reason to end the process that serves.
      opened.onGone();
      return failed;
    }
    opened.begin();
    return opened;
  }

  /** The session with that id, where it belongs to that principal; others cannot tell it from one that is not there. */
  find(id: string, principal: string | undefined): Session | Answer {
    const entry = this.entries.get(id);
    if (entry === undefined) return unknownSession;
    if (entry.principal === principal) return entry.session;
    entry.session.foreign();
    return unknownSession;
  }

  drain(options?: DrainOptions): Promise<void> {
    return this.serving.drain(options);
  }

  close(): Promise<void> {
    return this.serving.close();
  }
}

function newId(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(idBytes));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
