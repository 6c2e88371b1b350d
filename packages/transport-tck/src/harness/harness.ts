import type { JsonRpcMessage } from '@rxmcp/jsonrpc';
import type { ConnectionHandler, DialOptions, SendOptions } from '@rxmcp/transport';
import { handleRequest } from '../peer/handle-request.js';
import { createEchoPeer, withMetaOf } from '../peer/exchange.js';
import { assert, equal, WaitTimeout } from '../base/assert.js';
import { CallTracker } from '../base/call-tracker.js';
import { callFixtureHook, checkConnection, checkFixture } from '../fixture/check-fixture.js';
import { holdsWithin, inTime, now, turns } from '../base/clock.js';
import { expectEcho } from './echo.js';
import { countHandles, type HandleCount } from '../process/handle-count.js';
import { closedOn, ConnectionProbe, type ConnectionProbeOptions } from './connection-probe.js';
import { createSessionOpener } from './session-opener.js';
import type { AcceptsAt, OutgoingFrame, Fixture, ServeFixture } from '../fixture/fixture.js';
import { Trace, type Side } from '../base/trace.js';
import { PendingWaits } from '../base/pending-waits.js';
import { OutsideProblems } from '../process/process-watch.js';

/** How long the kit waits, in milliseconds. */
export interface Timeouts {
  readonly stepTimeoutMs: number;
  readonly closeTimeoutMs: number;
  /** How long it may take until a side notices a loss. */
  readonly lossMs: number;
  /** How long one rule may take in all, with the set-up of its fixture and the clean-up. */
  readonly ruleTimeoutMs: number;
}

/** The part of a rule's time that is reserved for the clean-up. */
const cleanUpPart = 1 / 8;

/** Both sides of one connection. */
export interface ConnectionPair {
  readonly client: ConnectionProbe;
  readonly served: ConnectionProbe;
}

/** The served transport of one rule, with a record of everything that happens on it. */
export class Harness {
  readonly trace: Trace = new Trace();
  readonly calls: CallTracker = new CallTracker();
  /** Every served side so far; empty where the served side runs in another process. */
  readonly accepted: ConnectionProbe[] = [];
  readonly timeouts: Timeouts;
  /** What fails in the process outside every promise. */
  readonly outside: OutsideProblems = new OutsideProblems();
  /** What was open before the fixture was served. */
  handlesBefore: HandleCount = new Map();
  readonly #dialled: ConnectionProbe[] = [];
  readonly #hold = { next: false };
  readonly #waits = new PendingWaits();
  readonly #openingMethods = new Set<unknown>();
  readonly #clearedAt: number;
  /** When the time of the rule itself is over, without the clean-up. */
  #endsAt: number;
  #fixture: Fixture | undefined;
  #stopping: Promise<void> | undefined;

  /** @param startedAt When the rule's time began, on the kit's clock. */
  constructor(timeouts: Timeouts, startedAt: number = now()) {
    this.timeouts = timeouts;
    this.#clearedAt = startedAt + timeouts.ruleTimeoutMs;
    this.#endsAt = this.#clearedAt - timeouts.ruleTimeoutMs * cleanUpPart;
  }

  async setUp(serve: ServeFixture): Promise<void> {
    this.outside.listen();
    this.handlesBefore = countHandles();
    const served = callFixtureHook('serve', () => serve(this.#handler(), this.outside));
    const fixture: Partial<Fixture> | undefined = await this.within(
      served,
      "the fixture's `serve` to resolve",
    );
    checkFixture(fixture);
    this.#fixture = fixture;
  }

  /** Rejects when a rule exceeds its time, also where it waits for something that is not polled. */
  inTime(proof: Promise<void>): Promise<void> {
    proof.catch(() => undefined);
    // A polled wait that ends at the same time has the better message, so it may fail first.
    const left = Math.max(0, this.#endsAt - now()) + this.timeouts.ruleTimeoutMs / 100;
    return inTime(
      proof,
      left,
      () => new WaitTimeout(`${this.#over()} while it waited for ${this.#waits.text()}`),
    );
  }

  get fixture(): Fixture {
    assert(this.#fixture !== undefined, 'serve() has not resolved');
    return this.#fixture;
  }

  get acceptsAt(): AcceptsAt {
    return this.fixture.acceptsAt ?? 'dial';
  }

  /** A message of the kit with what the fixture adds to it. */
  prepare(message: JsonRpcMessage, sendOptions: SendOptions = {}): OutgoingFrame {
    const prepared = this.fixture.prepare?.(message, sendOptions) ?? { message, options: sendOptions };
    return { ...prepared, message: withMetaOf(message, prepared.message) };
  }

  /** Dials without starting the connection. */
  async dial(options?: DialOptions): Promise<ConnectionProbe> {
    const dial = Promise.resolve(this.fixture.transport.dial(options));
    const connection = await this.within(dial, 'dial() to resolve');
    checkConnection(connection);
    const end = new ConnectionProbe(connection, this.#sideOf('dialled'));
    this.#dialled.push(end);
    return end;
  }

  /** Dials, starts, and opens the session where there is one. */
  async open(): Promise<ConnectionProbe> {
    const end = await this.dial();
    await this.begin(end);
    return end;
  }

  /** Starts a dialled connection, and opens its session where there is one. */
  async begin(end: ConnectionProbe): Promise<void> {
    end.start();
    await this.#opening(end);
    // Rules must not see the responses of the handshake.
    end.deliveries.length = 0;
  }

  /**
   * Dials and returns both sides. `held` names a side that is not started: a session is then still opening. The served side
   * of an endpoint is shared by all connections and never held.
   */
  async pair(held: 'none' | 'served' | 'client' = 'none'): Promise<ConnectionPair> {
    const before = this.acceptsAt === 'endpoint' ? 0 : this.accepted.length;
    if (this.acceptsAt === 'endpoint' && this.accepted.length === 0) await this.#wakeEndpoint();
    this.#hold.next = held === 'served';
    const accepted = this.accepted.length;
    const client = await this.dial();
    if (held === 'none') await this.begin(client);
    else {
      if (held === 'served') client.start();
      this.#opening(client).catch(() => undefined);
    }
    await this.until(() => this.accepted.length > before, 'the served side to accept the connection');
    this.#hold.next = false;
    const served = this.accepted[before];
    assert(served !== undefined, 'the served side accepted nothing');
    if (this.acceptsAt !== 'endpoint') this.expectOneAccepted(accepted);
    return { client, served };
  }

  /** Fails where the served side accepted more than one connection since it had accepted `before`. */
  expectOneAccepted(before: number): void {
    const more = this.accepted.length - before;
    assert(
      more <= 1,
      `one dial gave ${String(more)} connections on the served side; see start/one-connection`,
    );
  }

  /** Holds every served side that is accepted from now on, or no longer. */
  holdServed(held: boolean): void {
    this.#hold.next = held;
  }

  async #opening(end: ConnectionProbe): Promise<void> {
    if (this.acceptsAt === 'session')
      await callFixtureHook('openSession', () =>
        this.fixture.openSession?.(createSessionOpener(this, end, this.#openingMethods)),
      );
  }

  /** Sends a first request: an endpoint may be accepted only then. */
  async #wakeEndpoint(): Promise<void> {
    const scout = await this.open();
    await expectEcho(this, scout);
    await this.close(scout);
    for (const { deliveries } of this.accepted) deliveries.length = 0;
  }

  /** Waits for a condition by polling; fails with what was waited for. */
  async until(
    check: () => boolean,
    what: string,
    withinMs: number = this.timeouts.stepTimeoutMs,
  ): Promise<void> {
    const left = this.#endsAt - now();
    const held = await this.holds(check, withinMs, what);
    if (held) return;
    if (left >= withinMs) throw new WaitTimeout(`waited ${String(withinMs)} ms for ${what}`);
    throw new WaitTimeout(`${this.#over()} while it waited for ${what}`);
  }

  /** Waits until `count` reaches `least`. The time-out restarts each time that `count` grows. */
  async untilCount(count: () => number, least: number, what: string, withinMs?: number): Promise<void> {
    for (let seen = count(); seen < least; seen = count()) {
      await this.until(() => count() > seen, what, withinMs);
    }
  }

  /** Whether a condition becomes true in time; `what` names it where the rule's own time ends first. */
  holds(
    check: () => boolean,
    withinMs = this.timeouts.stepTimeoutMs,
    what = 'a condition',
  ): Promise<boolean> {
    return this.#waits.during(what, holdsWithin(check, Math.min(withinMs, this.#endsAt - now())));
  }

  /** Resolves with the value of a promise; fails where the promise does not settle in time. */
  async within<T>(
    promise: Promise<T>,
    what: string,
    withinMs: number = this.timeouts.stepTimeoutMs,
  ): Promise<T> {
    let settled = false;
    const watched = promise.finally(() => {
      settled = true;
    });
    watched.catch(() => {
      this.trace.waitedFor = what;
    });
    await this.until(() => settled, what, withinMs);
    return watched;
  }

  close(end: ConnectionProbe): Promise<void> {
    return this.within(end.connection.close(), 'close() to resolve', this.timeouts.closeTimeoutMs);
  }

  /** Closes the fixture, once. */
  async stopServing(): Promise<void> {
    this.#stopping ??= callFixtureHook('close', () => this.#fixture?.close());
    await this.within(this.#stopping, "the fixture's `close` to resolve", this.timeouts.closeTimeoutMs);
  }

  /** Closes what the rule left open. Rejects where the fixture's `close` fails or does not resolve. */
  async tearDown(): Promise<void> {
    this.#endsAt = (now() + this.#clearedAt) / 2;
    await Promise.allSettled(this.#dialled.map((end) => this.close(end)));
    this.#endsAt = this.#clearedAt;
    await this.stopServing();
  }

  /** Checks what every rule requires, once everything is closed: settled sends, one `closed` per side, no re-entrant calls. */
  async inspect(): Promise<void> {
    await turns(2);
    const outside = this.outside.text();
    assert(outside === '', `outside every promise of the transport: ${outside}`);
    await this.until(() => this.#waits.sends === 0, 'every send to settle once its connection is closed');
    for (const end of [...this.#dialled, ...this.accepted]) {
      if (end.closes.length > 1) equal(end.closes.length, 1, `calls of ${closedOn(end)}`);
      equal(end.late, [], `calls after ${closedOn(end)}`);
    }
    equal(this.calls.inside, [], 'deliveries inside a call');
  }

  #over(): string {
    return `the ${String(this.timeouts.ruleTimeoutMs)} ms that one rule may take were over`;
  }

  #sideOf(side: Side): ConnectionProbeOptions {
    const { trace, calls } = this;
    const shared = { side, trace, calls, waits: this.#waits, openingMethods: this.#openingMethods };
    return side === 'served' ? shared : { ...shared, prepare: (...sent) => this.prepare(...sent) };
  }

  #handler(): ConnectionHandler {
    return {
      accept: (connection) => {
        const end = new ConnectionProbe(connection, this.#sideOf('served'));
        const peer = createEchoPeer(connection, end.send.bind(end));
        end.onReceived = (incoming, info) => handleRequest(peer, incoming, info);
        const closed = new Promise<void>((resolve) => {
          end.onClosed = resolve;
        });
        this.accepted.push(end);
        if (!this.#hold.next) end.start();
        return { drain: () => Promise.resolve(), closed };
      },
    };
  }
}
