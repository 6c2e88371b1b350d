import type { Traits } from '@rxmcp/transport';
import type { CallerIdentity } from '@rxmcp/transport/guard';
import { loopTurns, shareOf, tooManyOpen } from '@rxmcp/transport/internal';
import { Session, type SessionTable } from './session.js';
import type { EndpointContext } from '../create-endpoint-context.js';

/** How long a client may take to come back after the handshake, in ticks. */
const halfOpenTicks = 60;
/** How long a stream that is over can still be asked for, in ticks. */
const keepTicks = 300;
/** Sessions are looked at after so many ticks at most, and at least where something else is looked at anyway. */
const [leastTicks, mostTicks] = [5, 15];

/** The sessions of one URL: found by id and principal, limited in number, ended when idle. */
export class Sessions {
  readonly #open = new Map<string, Session>();
  /** How many sessions each holder has. */
  readonly #counts = new Map<string, number>();
  readonly #table: SessionTable;
  #isEnding = false;
  #lookedAt = 0;
  #dueAt = 0;

  constructor(
    private readonly shared: EndpointContext,
    private readonly traits: Traits,
  ) {
    this.#table = {
      ...shared,
      forget: (session) => this.#forget(session),
      isEnding: () => this.#isEnding,
    };
  }

  /**
   * Creates a session; returns why it does not, where there are too many, or this holder has its share of them. Throws what the
   * connection handler throws.
   */
  begin(caller: CallerIdentity | undefined, holder: string): Session | string {
    // Thousands of handshakes may be pipelined.
    loopTurns.begin();
    const principal = caller?.principal;
    const { bounds, handler, sweep } = this.shared;
    const count = this.#counts.get(holder) ?? 0;
    const { maxSessions } = bounds;
    const hasShare = count >= shareOf(maxSessions);
    if (hasShare || (this.#open.size >= maxSessions && !this.#makeRoom(count)))
      return tooManyOpen('maxSessions', maxSessions, hasShare ? count : 0);
    const traits =
      principal === undefined ? { ...this.traits, holder } : { ...this.traits, holder, principal };
    const session = new Session(this.#table, crypto.randomUUID(), caller, traits);
    // Before it is accepted: the connection handler may close it at once.
    this.#open.set(session.id, session);
    this.#counts.set(holder, count + 1);
    try {
      session.served = handler.accept(session.connection);
    } catch (cause) {
      this.#forget(session);
      throw cause;
    }
    sweep.wake();
    return session;
  }

  /** Returns the session with an id, if it belongs to the caller; calls `foreign` where it belongs to another principal. */
  find(
    id: string,
    caller: CallerIdentity | undefined,
    foreign: (session: Session) => void,
  ): Session | undefined {
    const session = this.#open.get(id);
    // Before its handshake was answered, no client can have the id.
    if (session?.version === undefined) return undefined;
    if (session.principal === caller?.principal) {
      session.expiry?.renew(caller);
      session.used = true;
      session.lastTick = this.shared.sweep.tick;
      return session;
    }
    foreign(session);
    return undefined;
  }

  /** Ends idle sessions. Returns in how many ticks to run again, `Infinity` where there is no session. */
  sweep(): number {
    const { sweep, bounds } = this.shared;
    const { tick } = sweep;
    if (this.#open.size === 0) return Infinity;
    if (tick < this.#dueAt && tick - this.#lookedAt < leastTicks) return this.#dueAt - tick;
    let due = Math.min(mostTicks, bounds.idleTicks);
    for (const session of this.#open.values()) {
      const patience = session.used ? bounds.idleTicks : Math.min(halfOpenTicks, bounds.idleTicks);
      const left = patience - session.idleTicks;
      if (left > 0) {
        session.forgetStreams(keepTicks);
        due = Math.min(due, left);
        continue;
      }
      session.connection.end();
      // Thousands may have been idle for as long: the rest ends in the next tick.
      if (!loopTurns.hasTime()) {
        due = 1;
        break;
      }
    }
    this.#lookedAt = tick;
    this.#dueAt = tick + due;
    return this.#open.size === 0 ? Infinity : due;
  }

  #forget(session: Session): void {
    if (!this.#open.delete(session.id)) return;
    const left = (this.#counts.get(session.holder) ?? 0) - 1;
    if (left > 0) this.#counts.set(session.holder, left);
    else this.#counts.delete(session.holder);
  }

  /** Ends the longest idle session of the holder with most sessions, if that has more than one of `count`. */
  #makeRoom(count: number): boolean {
    let [largest, most] = ['', count + 1];
    for (const [holder, sessions] of this.#counts) if (sessions > most) [largest, most] = [holder, sessions];
    let idle: Session | undefined;
    for (const session of this.#open.values()) {
      const isLonger = session.idleTicks > (idle?.idleTicks ?? 0);
      if (session.holder === largest && isLonger) idle = session;
    }
    idle?.connection.end();
    return idle !== undefined;
  }

  /** Drains all. */
  async drain(withinMs: number): Promise<void> {
    this.#isEnding = true;
    await Promise.allSettled(
      [...this.#open.values()].map((session) => session.served?.drain({ timeoutMs: withinMs })),
    );
  }

  close(): void {
    this.#isEnding = true;
    for (const session of [...this.#open.values()]) session.connection.end();
  }
}
