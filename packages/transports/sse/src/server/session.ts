import { decode, INVALID_REQUEST, invalidReason, isBatch, kindOf, WireError } from '@rxmcp/jsonrpc';
import {
  type Carrier,
  type Sink,
  timerMs,
  TransportError,
  unheldTimer,
  wireFault,
  within,
} from '@rxmcp/transport';
import { tooLarge } from './request-rules.js';
import { type Answer, malformed, overloaded, refusal, taken } from './answer.js';
import { type EventOut, EventWriter } from './event-writer.js';

/** What a {@link Session} is made of. */
export interface SessionParts {
  readonly out: EventOut;
  /** Where its client posts to. */
  readonly endpoint: string;
  readonly keepAliveMs: number;
  readonly stallMs: number;
  readonly firstMessageMs: number;
  /** It is over: nothing is posted to it any more. */
  ended(): void;
}

const maxHeld = 1_024;
const maxHeldChars = 4 * 1024 * 1024;
const flushWithinMs = 1_000;

/** What was posted: the text of a message, or `undefined` for what is not UTF-8. */
export type Posted = string | undefined;

interface Held {
  readonly text: Posted;
  readonly answer: (answer: Answer) => void;
}

/** What clients are told of a session that is not theirs, not there any more, or never was. */
export const unknownSession: Answer = refusal(404, 'there is no such session');

/** One client: the stream that it reads, and what it posts. */
export class Session implements Carrier {
  private readonly writer: EventWriter;
  private readonly pulse: ReturnType<typeof setInterval>;
  private readonly first: ReturnType<typeof setTimeout> | undefined;
  private started = false;
  private isSlow = false;
  private over = false;
  private held: Held[] = [];
  private heldChars = 0;
  private settle: () => void = () => undefined;
  /** Resolves when the stream is gone. */
  private readonly gone: Promise<void>;

  constructor(
    private readonly sink: Sink,
    private readonly parts: SessionParts,
  ) {
    const { out, endpoint, keepAliveMs, stallMs, firstMessageMs } = parts;
    this.gone = new Promise((resolve) => {
      this.settle = resolve;
    });
    this.writer = new EventWriter(out, {
      stallMs,
      failed: (error) => {
        sink.closed(error);
        this.release();
        out.destroy();
      },
      // Answers that nobody reads: nothing more is taken until they are read.
      pressure: (over) => {
        this.isSlow = over;
        this.takeHeld();
      },
    });
    this.writer.endpoint(endpoint);
    this.pulse = setInterval(() => this.writer.keepAlive(), timerMs(keepAliveMs));
    // A stream keeps its process alive by itself; where there is none, nothing has to.
    (this.pulse as { unref?: () => void }).unref?.();
    if (Number.isFinite(firstMessageMs)) {
      this.first = unheldTimer(() => this.idle(firstMessageMs), firstMessageMs);
    }
  }

  start(): void {
    this.started = true;
    this.takeHeld();
  }

  /** Somebody serves it: what its stream begins with goes out. */
  begin(): void {
    this.writer.begin();
  }

  send(text: string): Promise<void> | void {
    return this.writer.send(text);
  }

  async close(): Promise<void> {
    this.endPosts();
    await within(this.writer.flushed(), flushWithinMs);
    this.parts.out.end();
    await within(this.gone, flushWithinMs);
    this.release();
    this.parts.out.destroy();
  }

  /** Takes one posted message, at once or when the one who reads it can go on. */
  post(text: Posted): Answer | Promise<Answer> {
    if (this.over) return unknownSession;
    clearTimeout(this.first);
    if (this.started && !this.isSlow) return this.take(text);
    const chars = text?.length ?? 0;
    if (this.held.length >= maxHeld || (this.held.length > 0 && this.heldChars + chars > maxHeldChars)) {
      return overloaded('too many messages wait in this session');
    }
    this.heldChars += chars;
    return new Promise((answer) => this.held.push({ text, answer }));
  }

  /** A message over the limit, of which nothing was kept. */
  postTooLarge(maxBytes: number): Answer {
    const message = `A message is larger than ${String(maxBytes)} bytes.`;
    // Its answer is the one over HTTP: whom it would be for was not read.
    this.sink.fault(new TransportError('TOO_LARGE', message));
    return tooLarge(maxBytes);
  }

  /** Somebody else named its id, and is told that there is no such session. */
  foreign(): void {
    this.sink.fault(new TransportError('INVALID_MESSAGE', 'Another caller used the id of this session.'));
  }

  /** The response has drained. */
  onDrain(): void {
    this.writer.onDrain();
  }

  /** The client closed the stream, which ends its session, or the stream was cut: the two look alike. */
  onGone(): void {
    this.settle();
    this.release();
    this.sink.closed();
  }

  private take(text: Posted): Answer {
    let value: unknown;
    try {
      if (text === undefined) throw new WireError('PARSE_ERROR', 'the message is not valid UTF-8');
      value = decode(text);
    } catch (error) {
      const fault = wireFault(error as WireError);
      this.sink.fault(fault);
      return malformed(fault.reply?.error ?? { code: INVALID_REQUEST, message: fault.message });
    }
    this.sink.value(value);
    if (isBatch(value) || kindOf(value) !== 'invalid') return taken;
    const { message, id } = invalidReason(value);
    return malformed({ code: INVALID_REQUEST, message }, id);
  }

  private takeHeld(): void {
    while (this.started && !this.isSlow && !this.over) {
      const next = this.held.shift();
      if (next === undefined) return;
      this.heldChars -= next.text?.length ?? 0;
      next.answer(this.take(next.text));
    }
  }

  private idle(afterMs: number): void {
    const message = `The client posted nothing for ${String(afterMs / 1_000)} s.`;
    this.sink.closed(new TransportError('CONNECTION_LOST', message));
    this.release();
    this.parts.out.end();
  }

  private endPosts(): void {
    if (this.over) return;
    this.over = true;
    clearTimeout(this.first);
    clearInterval(this.pulse);
    this.parts.ended();
    for (const { answer } of this.held.splice(0)) answer(unknownSession);
  }

  private release(): void {
    this.endPosts();
    this.writer.stop();
  }
}
