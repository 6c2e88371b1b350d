import { type JsonObject, OVERLOADED } from '@rxmcp/jsonrpc';
import { type MemoryBudget, TransportError } from '@rxmcp/transport';
import type { AsyncScope } from '@rxmcp/transport/internal';
import { captureAsyncScope } from '@rxmcp/transport/internal';
import { timer } from '../base/clock.js';
import { RpcError } from '../base/errors.js';
import { estimateChars } from './response-turns.js';

/** Who is charged for a request, and where. */
export interface ChargedCaller {
  readonly holder: string;
  readonly memory: Pick<MemoryBudget, 'heldBytes' | 'maxBytes'>;
}

/** The number of calls of one server that are under way at a time: as many as a server of rxmcp runs for one caller. */
const maxCalls = 256;
/** So many of them are for callers that have none under way, so that a few callers cannot make a further one wait. */
const callsOfNewCallers = 32;
/** The number of calls under way whose results may be large: at first, and after a large result. */
const firstWindow = 32;
const smallestWindow = 8;
/** A result of so many characters is large. */
const largeChars = 64 * 1024;
/** After a large result, so many small ones show that the results of a caller are small again. */
const smallAfterLarge = 8;
/** How often more calls may start while some wait, in milliseconds. */
const checkIntervalMs = 100;
/**
 * A call that has lasted for so many checks is not expected to end soon, and others start in its place: unless large results have come since,
 * but not as many as below. On a slow machine each of them takes as long, and more of them would take the memory.
 */
const checksOfSlowCall = 10;
const largeOfSlowCall = 2 * smallestWindow;
/** A result takes so many bytes for each of its characters until it is passed on. */
const bytesPerChar = 2;
/** The part of the memory that is not exceeded by what is held and by the large results that are expected. */
const memoryPart = 5 / 8;
/** Callers without calls are remembered up to this number. */
const maxIdle = 1_024;

/**
 * Divides one server among the callers of a gateway or a bridge, all of whom are one caller to that server. One of them has no more calls under
 * way than others could begin: alone half of those that are not kept for callers without any. Of callers whose results are large, or unknown, few calls are under way: their results would take the memory
 * and the time of the others. Further calls wait, and start in turns of the callers.
 */
export class CallTurns {
  #running = 0;
  #window = firstWindow;
  /** The number of large results so far, what the last one has taken, and the number of checks since then. */
  #large = 0;
  #lastLargeBytes = 0;
  #quietChecks = 1;
  #checks = 0;
  #isChecking = false;
  #isFilling = false;
  readonly #callers = new Map<string, Caller>();
  /** The callers that wait, in the order of their turns. */
  readonly #waiting = new Set<Caller>();
  /** The calls under way whose results may be large. */
  readonly #uncertain = new Set<CallTurn>();

  /** Calls `start` now, or when it is the turn of its caller. */
  take(charged: ChargedCaller, start: () => void): CallTurn {
    const { holder } = charged;
    let caller = this.#callers.get(holder);
    if (caller === undefined) this.#callers.set(holder, (caller = new Caller(charged)));
    const turn = new CallTurn(this, caller, start);
    if (caller.waiting.size === 0 && this.#canStart(caller)) this.#begin(turn);
    else {
      turn.scope = captureAsyncScope();
      caller.waiting.add(turn);
      this.#waiting.add(caller);
      this.#check();
    }
    return turn;
  }

  /** A call has ended, or is not wanted any more. Its result says what to expect of its caller, and so does that there was no room for one. */
  ended(turn: CallTurn, end: JsonObject | 'overloaded' | undefined): void {
    const { caller } = turn;
    if (caller.waiting.delete(turn)) {
      if (caller.waiting.size === 0) this.#waiting.delete(caller);
    } else {
      this.#running -= 1;
      caller.running -= 1;
      if (turn.isUncertain) this.#uncertain.delete(turn);
      if (end === 'overloaded')
        this.#expectLarge(caller, Math.max(caller.expectedBytes, this.#lastLargeBytes));
      else if (end !== undefined) this.#learn(caller, estimateChars(end));
    }
    if (caller.isIdle && this.#callers.size > maxIdle) this.#callers.delete(caller.charged.holder);
    this.#fill();
  }

  /** Starts none of the calls that wait. */
  close(): void {
    this.#waiting.clear();
  }

  #learn(caller: Caller, chars: number): void {
    if (chars >= largeChars) {
      this.#large += 1;
      this.#lastLargeBytes = bytesPerChar * chars;
      this.#expectLarge(caller, this.#lastLargeBytes);
    } else if (caller.unproven > 0) {
      caller.unproven -= 1;
      if (caller.unproven > 0) return;
      for (const turn of this.#uncertain) if (turn.caller === caller) this.#uncertain.delete(turn);
    }
  }

  #expectLarge(caller: Caller, bytes: number): void {
    caller.expectedBytes = bytes;
    caller.unproven = smallAfterLarge;
    this.#quietChecks = 0;
    this.#window = smallestWindow;
  }

  #canStart({ running, unproven, expectedBytes, charged: { memory } }: Caller): boolean {
    const most = running === 0 ? maxCalls : maxCalls - callsOfNewCallers - running;
    if (this.#running >= most) return false;
    const { size } = this.#uncertain;
    if (unproven === 0 || size === 0) return true;
    return (
      size < this.#window && memory.heldBytes + (size + 1) * expectedBytes < memory.maxBytes * memoryPart
    );
  }

  #begin(turn: CallTurn): void {
    const { caller, scope, start } = turn;
    this.#running += 1;
    caller.running += 1;
    if (caller.unproven > 0) {
      turn.isUncertain = true;
      turn.startedAt = this.#checks;
      turn.largeBefore = this.#large;
      this.#uncertain.add(turn);
    }
    if (scope === undefined) start();
    else scope.runInAsyncScope(start, undefined);
  }

  // A loop instead of recursion: calls that end at once would otherwise deepen the stack.
  #fill(): void {
    if (this.#isFilling) return;
    this.#isFilling = true;
    for (const caller of this.#waiting) {
      if (!this.#canStart(caller)) continue;
      const [next] = caller.waiting as Iterable<CallTurn> as [CallTurn];
      caller.waiting.delete(next);
      // Behind all others, where this loop comes to it again.
      this.#waiting.delete(caller);
      if (caller.waiting.size > 0) this.#waiting.add(caller);
      this.#begin(next);
    }
    this.#isFilling = false;
  }

  /** While calls wait: where no large results come, more calls may be under way. */
  #check(): void {
    if (this.#isChecking) return;
    this.#isChecking = true;
    timer(() => {
      this.#isChecking = false;
      this.#checks += 1;
      if (this.#quietChecks > 0) this.#window = Math.min(this.#window * 2, maxCalls);
      this.#quietChecks += 1;
      for (const turn of this.#uncertain) if (this.#isSlow(turn)) this.#uncertain.delete(turn);
      this.#fill();
      if (this.#waiting.size > 0) this.#check();
    }, checkIntervalMs);
  }

  #isSlow({ startedAt, largeBefore }: CallTurn): boolean {
    const areOthersQuiet = this.#quietChecks >= checksOfSlowCall;
    const isOvertaken = this.#large - largeBefore >= largeOfSlowCall;
    return this.#checks - startedAt >= checksOfSlowCall && (areOthersQuiet || isOvertaken);
  }
}

/** The calls of one caller. */
class Caller {
  /** The number of calls under way. A Set of them would keep ended ones: the tables that it leaves behind refer to their successors. */
  running = 0;
  readonly waiting = new Set<CallTurn>();
  /** How many small results are missing before its results are expected to be small. */
  unproven = 1;
  /** What its last large result has taken. */
  expectedBytes = 0;

  constructor(readonly charged: ChargedCaller) {}

  get isIdle(): boolean {
    return this.running === 0 && this.waiting.size === 0;
  }
}

/** The place of one call. */
export class CallTurn {
  /** The async context of a call that waits. */
  scope: AsyncScope | undefined = undefined;
  /** Whether its result may be large; since when it is under way, in checks; how many large results had come then. */
  isUncertain = false;
  startedAt = 0;
  largeBefore = 0;
  #isOver = false;

  constructor(
    private readonly turns: CallTurns,
    readonly caller: Caller,
    readonly start: () => void,
  ) {}

  /** Ends the call, or takes it out of the queue. Does nothing after the first time. */
  end(result?: JsonObject): void {
    this.#end(result);
  }

  /** Ends the call with the error of it. */
  failed(error: unknown): void {
    this.#end(isOverloaded(error) ? 'overloaded' : undefined);
  }

  #end(end: JsonObject | 'overloaded' | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.turns.ended(this, end);
  }
}

/** Whether there was no room for a result, or for one more call: here, or at the server. */
function isOverloaded(error: unknown): boolean {
  return RpcError.is(error)
    ? error.code === OVERLOADED
    : TransportError.is(error) && error.code === 'OVERFLOW';
}
