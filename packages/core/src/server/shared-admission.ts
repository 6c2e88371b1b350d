import { captureAsyncScope } from '@rxmcp/transport/internal';
import { type RequestAdmission, runInScope } from '../peer/admission.js';
import type { Exchange } from '../peer/exchange.js';
import type { SharedConnectionLimits, CapacityLimits } from '../peer/limits.js';
import { shareOf } from '../peer/limits.js';

/** The number of idle callers that are remembered, so that their next request needs no new table entry. */
const maxIdle = 1_024;

/** One principal, or all anonymous callers. */
interface Party {
  readonly share: CapacityLimits;
  running: number;
  readonly queue: Set<Exchange>;
}

/**
 * Runs and queues the requests of many callers, each principal within its share. Callers take turns, so that a long
 * queue of one does not delay the others.
 */
export class FairAdmission implements RequestAdmission {
  queued = 0;
  private running = 0;
  private filling = false;
  private readonly parties = new Map<string | undefined, Party>();
  /** The callers with waiting requests and room in their share, in the order of their turns. */
  private readonly turns = new Set<Party>();

  constructor(
    private readonly limits: SharedConnectionLimits,
    private readonly host: { run(exchange: Exchange): void },
  ) {}

  admit(exchange: Exchange): boolean {
    const party = this.partyOf(exchange.caller.principal);
    const isFree = party.running < party.share.maxConcurrentRequests;
    if (isFree && this.running < this.limits.maxConcurrentRequests) {
      this.start(party, exchange);
      return true;
    }
    if (this.queued >= this.limits.maxQueuedRequests || party.queue.size >= party.share.maxQueuedRequests)
      return false;
    party.queue.add(exchange);
    exchange.scope = captureAsyncScope();
    this.queued += 1;
    if (isFree) this.turns.add(party);
    return true;
  }

  close(): void {
    for (const { queue } of this.parties.values()) queue.clear();
    this.turns.clear();
    this.queued = 0;
  }

  release(exchange: Exchange): void {
    const { principal } = exchange.caller;
    const party = this.parties.get(principal);
    if (party === undefined) return;
    if (!exchange.admitted) {
      if (!party.queue.delete(exchange)) return;
      this.queued -= 1;
      if (party.queue.size === 0) this.turns.delete(party);
      return;
    }
    exchange.admitted = false;
    this.running -= 1;
    party.running -= 1;
    if (party.queue.size > 0) this.turns.add(party);
    else if (party.running === 0 && this.parties.size > maxIdle) this.parties.delete(principal);
    this.fill();
  }

  // A loop instead of recursion: handlers that end at once would otherwise deepen the stack by one per queued
  // request.
  private fill(): void {
    if (this.filling) return;
    this.filling = true;
    try {
      for (const party of this.turns) {
        if (this.running >= this.limits.maxConcurrentRequests) break;
        this.turns.delete(party);
        const [next] = party.queue;
        if (next === undefined) continue;
        party.queue.delete(next);
        this.queued -= 1;
        this.start(party, next);
        // Added at the end of the set, so that this loop continues with the other callers first.
        if (party.queue.size > 0 && party.running < party.share.maxConcurrentRequests) this.turns.add(party);
      }
    } finally {
      this.filling = false;
    }
  }

  private start(party: Party, exchange: Exchange): void {
    this.running += 1;
    party.running += 1;
    exchange.admitted = true;
    runInScope(exchange, this.host);
  }

  private partyOf(principal: string | undefined): Party {
    let party = this.parties.get(principal);
    if (party === undefined) {
      party = { share: shareOf(this.limits, principal), running: 0, queue: new Set() };
      this.parties.set(principal, party);
    }
    return party;
  }
}
