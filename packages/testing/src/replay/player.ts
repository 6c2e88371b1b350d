import { type JsonObject, TransportError } from '@rxmcp/core';
import type { Connection, Outgoing, Receiver } from '../in-process/in-process-link.js';
import type { Frame, MessageFrame, RecordedTraits, Side } from '../wire/recording.js';
import { type Closeness, compare } from './compare.js';
import { Ids } from './ids.js';
import { ReplayError, brief, named, frameMessage, describeDifference } from './describe-difference.js';

/** How closely the live party must follow the recording, and when the played side sends. */
export interface ReplayMode {
  readonly plays: Side;
  /** Whether the live party must keep the order. */
  readonly strict: boolean;
  readonly how: Closeness;
  /** `none`: as soon as its turn comes. `recorded`: at its recorded time. `exact`: the same, and the live party must be on time. */
  readonly pace: 'none' | 'recorded' | 'exact';
  /** Whether more frames may arrive at the end, because the recording was full. */
  readonly openEnd: boolean;
  /** When all was said: as soon as nothing more comes in a turn, or not before the connection ends. */
  readonly until: 'quiet' | 'closed';
}

interface Step {
  readonly frame: Frame;
  readonly index: number;
  /** Steps of the live party that come before it. */
  readonly after: number;
  done: boolean;
}

/** A connection whose other side is a recording. To the live party it looks like a connection to the recorded one. */
export class Player implements Connection {
  readonly traits: Connection['traits'];
  /** Resolves when all frames have passed and no more arrived; rejects with the first difference. */
  readonly finished: Promise<void>;
  difference: ReplayError | undefined;
  private readonly ids = new Ids();
  private readonly lanes = new Map<number, object>();
  private readonly asking = new Set<object>();
  private readonly ours: Step[] = [];
  private readonly theirs: Step[] = [];
  private beganAt = 0;
  private readonly firstAt: number;
  private receiver: Receiver | undefined;
  private spoken = 0;
  private waiting = false;
  private isQuiet = false;
  private over = false;
  private settle: { readonly resolve: () => void; readonly reject: (error: Error) => void } | undefined;

  constructor(
    steps: readonly (readonly [index: number, frame: Frame])[],
    private readonly manner: ReplayMode,
  ) {
    const [, opened] = steps[0] ?? [];
    this.firstAt = opened?.at ?? 0;
    this.traits = traitsOf(opened?.type === 'opened' ? opened.traits : {}, manner.plays);
    for (const [index, frame] of steps) {
      if (frame.type === 'opened') continue;
      const own = frame.from === manner.plays;
      // The live party may stay as long as it likes, unless its end is drawn; a server is closed by its owner anyway.
      if (frame.type === 'closed' && !own && !(manner.how === 'drawn' && frame.from === 'client')) continue;
      (own ? this.ours : this.theirs).push({ frame, index, after: this.theirs.length, done: false });
    }
    this.finished = new Promise((resolve, reject) => (this.settle = { resolve, reject }));
    this.finished.catch(() => undefined);
  }

  start(receiver: Receiver): void {
    this.receiver = receiver;
    this.beganAt = performance.now();
    this.soon();
  }

  send(out: Outgoing, envelope?: { readonly lane?: object }): Promise<void> {
    if (this.over)
      return Promise.reject(
        new TransportError('CLOSED', 'the connection is closed', { outcome: 'not-sent' }),
      );
    const message = ('text' in out ? JSON.parse(out.text) : JSON.parse(JSON.stringify(out))) as JsonObject;
    this.take(message, envelope?.lane);
    return Promise.resolve();
  }

  endLane(lane: object): void {
    if (this.over || !this.asking.delete(lane)) return;
    const step = this.theirs.find(
      ({ done, frame }) => !done && (this.manner.strict || frame.type === 'lane-closed'),
    );
    const isIt = step?.frame.type === 'lane-closed' && this.lanes.get(step.frame.lane) === lane;
    if (step !== undefined && isIt) this.matched(step);
    else if (this.manner.strict)
      this.fail(this.unlike(step, '', 'the way of a request was left', step && frameMessage(step.frame)));
  }

  close(): Promise<void> {
    const unsaid = this.ours.find(({ done, frame }) => !done && frame.type !== 'closed');
    const open = this.theirs.find(({ done }) => !done) ?? unsaid;
    if (!this.over && open?.frame.type === 'closed') this.matched(open);
    else if (!this.over && open !== undefined) this.missing('the other side closed');
    this.end();
    return Promise.resolve();
  }

  /** Reports that no more frames will arrive: the open ones are missing. */
  missing(why: string): void {
    const open = [...this.theirs, ...this.ours]
      .filter(({ done }) => !done)
      .sort((a, b) => a.index - b.index)[0];
    if (open === undefined || this.difference !== undefined) return;
    const { frame, index } = open;
    const message = `${why} before frame ${index} came: ${named(frame)}`;
    const about = { expected: frameMessage(frame), index, path: '', actual: undefined };
    this.fail(new ReplayError('FRAME_MISSING', message, about));
  }

  private take(message: JsonObject, lane: object | undefined): void {
    const { strict, how } = this.manner;
    const open = this.theirs.filter(({ done, frame }) => !done && (strict || frame.type === 'message'));
    const candidates = strict ? open.slice(0, 1) : open;
    let nearest: ReplayError | undefined;
    for (const step of candidates) {
      const { frame } = step;
      const difference =
        frame.type === 'message'
          ? compare(frame.message, message, this.ids, how)
          : { path: '', expected: frameMessage(frame), actual: message };
      if (difference === undefined) {
        this.place(frame as MessageFrame, message, lane);
        return this.matched(step);
      }
      const { path, expected, actual } = difference;
      // One that is about the same says more than the first of all.
      const isCloser = nearest === undefined || (isAside(nearest.path) && !isAside(path));
      if (isCloser) nearest = this.unlike(step, path, actual, expected);
    }
    if (!strict && message.method !== undefined && message.id === undefined) return;
    if (nearest === undefined && this.manner.openEnd) return;
    this.fail(nearest ?? this.unlike(undefined, '', message));
  }

  private place({ lane: number }: MessageFrame, message: JsonObject, lane: object | undefined): void {
    if (lane === undefined) return;
    if (number !== undefined) this.lanes.set(number, lane);
    if (message.method !== undefined && message.id !== undefined) this.asking.add(lane);
    else if (message.method === undefined) this.asking.delete(lane);
  }

  private matched(step: Step): void {
    step.done = true;
    if (this.manner.pace === 'exact' && !this.onTime(step)) return;
    this.soon();
  }

  private onTime({ frame, index }: Step): boolean {
    const actual = Math.round(performance.now() - this.beganAt);
    const expected = Math.round(frame.at - this.firstAt);
    if (actual === expected) return true;
    const message = `frame ${index} came at ${actual} ms instead of ${expected} ms: ${named(frame)}`;
    this.fail(new ReplayError('FRAME_MISTIMED', message, { expected, index, path: 'at', actual }));
    return false;
  }

  private soon(): void {
    if (this.waiting) return;
    this.waiting = true;
    queueMicrotask(() => {
      this.waiting = false;
      this.speak();
    });
  }

  /** Sends all frames that are due. */
  private speak(): void {
    const { pace } = this.manner;
    while (!this.over && this.receiver !== undefined) {
      const step = this.ours[this.spoken];
      if (this.theirs.slice(0, step?.after).some(({ done }) => !done)) return;
      const inMs = step === undefined ? 0 : this.beganAt + step.frame.at - this.firstAt - performance.now();
      if (pace !== 'none' && inMs > 0) return this.speakLater(inMs);
      const isEnd = step === undefined || step.frame.type === 'closed';
      if (isEnd && pace !== 'exact' && !this.isQuiet) {
        // The live party may have more to say than was recorded.
        return this.speakLater(0, true);
      }
      if (step === undefined) break;
      this.spoken += 1;
      step.done = true;
      if (pace === 'exact' && !this.onTime(step)) return;
      this.say(step.frame);
    }
    if (this.manner.until === 'quiet' || this.manner.openEnd) this.settleIfDone();
  }

  private speakLater(inMs: number, isEnd = false): void {
    this.waiting = true;
    setTimeout(() => {
      this.waiting = false;
      this.isQuiet ||= isEnd;
      this.speak();
    }, inMs);
  }

  private settleIfDone(): void {
    if (this.theirs.every(({ done }) => done) && !this.ours.some((step) => this.isUnsaid(step)))
      this.settle?.resolve();
  }

  private isUnsaid({ done, frame }: Step): boolean {
    // Without exact times, only one of the two sides needs to close.
    return !done && !(this.over && frame.type === 'closed' && this.manner.pace !== 'exact');
  }

  private say(frame: Frame): void {
    if (frame.type === 'message') {
      const lane = frame.lane === undefined ? undefined : this.laneOf(frame.lane);
      const said = this.ids.translated(frame.message);
      if (lane !== undefined && !Array.isArray(said)) this.place(frame, said as JsonObject, lane);
      this.receiver?.received(JSON.parse(JSON.stringify(said)), lane === undefined ? undefined : { lane });
    } else if (frame.type === 'lane-closed') {
      const lane = this.laneOf(frame.lane);
      this.asking.delete(lane);
      this.receiver?.laneClosed(lane);
    } else if (frame.type === 'closed') {
      const { error } = frame;
      this.end(
        error &&
          new TransportError(
            codes.has(error.code) ? (error.code as TransportError['code']) : 'CONNECTION_LOST',
            error.message,
          ),
      );
    }
  }

  private laneOf(number: number): object {
    const lane = this.lanes.get(number) ?? {};
    this.lanes.set(number, lane);
    return lane;
  }

  private unlike(step: Step | undefined, path: string, actual: unknown, expected?: unknown): ReplayError {
    if (step === undefined) {
      const about = { expected: undefined, index: -1, path: '', actual };
      return new ReplayError(
        'FRAME_UNEXPECTED',
        `nothing more was recorded, and this came: ${brief(actual)}`,
        about,
      );
    }
    const where = path === '' ? '' : ` at ${path}`;
    const message = `frame ${step.index} differs${where}: ${describeDifference(expected, actual)}`;
    return new ReplayError('FRAME_DIFFERS', message, { expected, index: step.index, path, actual });
  }

  private fail(error: ReplayError): void {
    if (this.difference !== undefined) return;
    this.difference = error;
    this.settle?.reject(error);
    // A client receives the cause of its failed calls; a server sees only a client that disconnected.
    const toClient = this.manner.plays === 'server';
    this.end(toClient ? new TransportError('CONNECTION_LOST', error.message, { cause: error }) : undefined);
  }

  private end(error?: TransportError): void {
    if (this.over) return;
    this.over = true;
    this.settleIfDone();
    queueMicrotask(() => this.receiver?.closed(error));
  }
}

function traitsOf(
  { carriesHeaders: _beside, ...recorded }: RecordedTraits,
  plays: Side,
): Connection['traits'] {
  return {
    lanes: 'shared',
    serverInitiates: true,
    clientReplies: true,
    maxMessageBytes: Infinity,
    ...recorded,
    idScope: 'connection',
    carriesHeaders: false,
    redialable: plays === 'server' && recorded.redialable !== false,
  };
}

const codes: ReadonlySet<string> = new Set([
  'CONNECTION_LOST',
  'SESSION_EXPIRED',
  'CLOSED',
  'STALLED',
  'OVERFLOW',
]);

/** Whether a difference says that two messages have nothing to do with each other. */
function isAside(path: string): boolean {
  return path === '' || path === 'id' || path === 'method';
}
