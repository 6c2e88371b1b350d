import type { Traits } from '@rxmcp/transport';
import { Session, type SessionTable } from './session.js';
import type { EndpointContext } from './create-endpoint-context.js';

/** How long a client may take to come back after the handshake, in ticks. */
const halfOpenTicks = 60;
/** How long a stream that is over can still be asked for, in ticks. */
const keepTicks = 300;
/** Sessions are looked at after so many ticks at most, and at least where something else is looked at anyway. */
const [leastTicks, mostTicks] = [5, 15];

/** The sessions of one URL: found by id and principal, bounded in number, ended when nobody uses them. */
export class Sessions {
  private readonly open = new Map<string, Session>();
  private readonly table: SessionTable;
  private isEnding = false;
  private lookedAt = 0;
  private dueAt = 0;

  constructor(
    private readonly shared: EndpointContext,
    private readonly traits: Traits,
  ) {
    this.table = {
      ...shared,
      forget: (session) => void this.open.delete(session.id),
      isEnding: () => this.isEnding,
    };
  }

  /** Begins a session; undefined when there are too many. Throws what the acceptor throws. */
  begin(principal: string | undefined): Session | undefined {
    const { bounds, handler, sweep } = this.shared;
    if (this.open.size >= bounds.maxSessions) return undefined;
    const traits = principal === undefined ? this.traits : { ...this.traits, principal };
    const session = new Session(this.table, crypto.randomUUID(), principal, traits);
    // Before it is accepted: an acceptor may close it at once.
    this.open.set(session.id, session);
    try {
      session.served = handler.accept(session.connection);
    } catch (cause) {
      this.open.delete(session.id);
      throw cause;
    }
    sweep.wake();
    return session;
  }

  /** The session of that id, if it is that principal's; `foreign` hears of a caller who knows the id of another's. */
  find(id: string, principal: string | undefined, foreign: (session: Session) => void): Session | undefined {
    const session = this.open.get(id);
    // Until its handshake was answered nobody can know the id.
    if (session?.version === undefined) return undefined;
    if (session.principal === principal) {
      session.used = true;
      session.lastTick = this.shared.sweep.tick;
      return session;
    }
    foreign(session);
    return undefined;
  }

  /** Ends what nobody uses; gives in how many ticks to look again, `Infinity` where there is none. */
  sweep(): number {
    const { sweep, bounds } = this.shared;
    const { tick } = sweep;
    if (this.open.size === 0) return Infinity;
    if (tick < this.dueAt && tick - this.lookedAt < leastTicks) return this.dueAt - tick;
    let due = Math.min(mostTicks, bounds.idleTicks);
    for (const session of this.open.values()) {
      const patience = session.used ? bounds.idleTicks : Math.min(halfOpenTicks, bounds.idleTicks);
      const left = patience - session.idleTicks;
      if (left <= 0) session.connection.end();
      else {
        session.forgetStreams(keepTicks);
        due = Math.min(due, left);
      }
    }
    this.lookedAt = tick;
    this.dueAt = tick + due;
    return this.open.size === 0 ? Infinity : due;
  }

  /** Drains all. */
  async drain(withinMs: number): Promise<void> {
    this.isEnding = true;
    await Promise.allSettled(
      [...this.open.values()].map((session) => session.served?.drain({ timeoutMs: withinMs })),
    );
  }

  close(): void {
    this.isEnding = true;
    for (const session of [...this.open.values()]) session.connection.end();
  }
}
