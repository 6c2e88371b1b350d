import { captureAsyncScope } from '@rxmcp/transport/internal';
import { type RequestAdmission, runInScope } from '../peer/admission.js';
import type { Exchange } from '../peer/exchange.js';
import type { SharedConnectionLimits, IncomingRequestLimits } from '../peer/limits.js';
import { callerName, limitsOfCaller } from '../peer/limits.js';

/** The number of idle callers that are remembered, so that their next request needs no new table entry. */
const maxIdle = 1_024;

/**
 * Runs and queues the requests of many callers, each within its share: a principal, or an address of anonymous callers. Callers
 * take turns, so that a long queue of one does not delay the others. All anonymous callers together have the turns of one
 * principal.
 */
export class FairAdmission implements RequestAdmission {
  #filling = false;
  readonly #all: Party;
  readonly anonymous: Party;
  readonly callers = new Map<string, Party>();

  constructor(
    private readonly limits: SharedConnectionLimits,
    private readonly host: { run(exchange: Exchange): void },
  ) {
    this.#all = new Party(limits, undefined);
    this.anonymous = new Party(limits.allAnonymous, this.#all);
  }

  get queued(): number {
    return this.#all.queued;
  }

  admit(exchange: Exchange): boolean {
    const caller = this.#callerOf(exchange);
    if (caller.canRun) {
      this.#start(caller, exchange);
      return true;
    }
    if (!caller.canQueue) return false;
    caller.waiting.add(exchange);
    exchange.scope = captureAsyncScope();
    caller.count(0, 1);
    caller.takeTurn();
    return true;
  }

  close(): void {
    for (const party of [this.#all, this.anonymous, ...this.callers.values()]) {
      party.waiting.clear();
      party.queued = 0;
    }
  }

  release(exchange: Exchange): void {
    const name = callerName(exchange);
    const caller = this.callers.get(name);
    if (caller === undefined) return;
    if (exchange.admitted) {
      exchange.admitted = false;
      caller.count(-1, 0);
      if (this.#all.queued > 0) caller.takeTurn();
    } else if (caller.waiting.delete(exchange)) {
      caller.count(0, -1);
      caller.leaveTurn();
    }
    if (caller.running === 0 && caller.queued === 0 && this.callers.size > maxIdle) this.callers.delete(name);
    this.#fill();
  }

  // A loop instead of recursion: handlers that end at once would otherwise deepen the stack by one per queued
  // request.
  #fill(): void {
    if (this.#filling || this.#all.queued === 0) return;
    this.#filling = true;
    try {
      while (this.#all.canRun) {
        const next = this.#all.next();
        if (next === undefined) break;
        const caller = this.#callerOf(next);
        caller.count(0, -1);
        this.#start(caller, next);
        caller.takeTurn();
      }
    } finally {
      this.#filling = false;
    }
  }

  #start(caller: Party, exchange: Exchange): void {
    caller.count(1, 0);
    exchange.admitted = true;
    runInScope(exchange, this.host);
  }

  #callerOf(exchange: Exchange): Party {
    const name = callerName(exchange);
    let caller = this.callers.get(name);
    if (caller === undefined) {
      const { principal } = exchange.caller;
      const within = principal === undefined ? this.anonymous : this.#all;
      caller = new Party(limitsOfCaller(this.limits, name, principal), within);
      this.callers.set(name, caller);
    }
    return caller;
  }
}

/** A caller, all anonymous callers, or all callers: how much of its share it uses. */
class Party {
  running = 0;
  queued = 0;
  /** In the order of their turns: the requests of a caller, or the parties within this one that have requests and room. */
  readonly waiting = new Set<Exchange | Party>();

  /** @param within - the party that this one is part of */
  constructor(
    private readonly share: IncomingRequestLimits,
    private readonly within: Party | undefined,
  ) {}

  /** Whether one more request may run, in this party and in those around it. */
  get canRun(): boolean {
    return this.running < this.share.maxConcurrentRequests && (this.within?.canRun ?? true);
  }

  get canQueue(): boolean {
    return this.queued < this.share.maxQueuedRequests && (this.within?.canQueue ?? true);
  }

  /** Adds to the numbers of running and queued requests. */
  count(running: number, queued: number): void {
    this.running += running;
    this.queued += queued;
    this.within?.count(running, queued);
  }

  /** Queues this party after the others, if it has requests and room, and those around it. */
  takeTurn(): void {
    const { within, running, share } = this;
    if (within === undefined) return;
    if (this.waiting.size > 0 && running < share.maxConcurrentRequests) within.waiting.add(this);
    within.takeTurn();
  }

  /** Removes this party, if it has no requests, and those around it. */
  leaveTurn(): void {
    if (this.waiting.size > 0) return;
    this.within?.waiting.delete(this);
    this.within?.leaveTurn();
  }

  /** Removes and returns the request whose turn it is. */
  next(): Exchange | undefined {
    const [first] = this.waiting;
    if (first === undefined) return undefined;
    this.waiting.delete(first);
    return first instanceof Party ? first.next() : first;
  }
}
