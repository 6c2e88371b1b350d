import type { JsonRpcMessage } from '@rxmcp/jsonrpc';
import type { ConnectionHandler, DialOptions, SendOptions, Lane } from '@rxmcp/transport';
import { answerRequest } from '../peer/answer-request.js';
import { assert, equal } from '../stage/assert.js';
import { CallTracker } from './call-tracker.js';
import { checkConnection, checkFixture, callFixtureHook } from './check-fixture.js';
import { holdsWithin, inTime, now } from './clock.js';
import { expectEcho } from './echo.js';
import { closedOn, ConnectionProbe } from './connection-probe.js';
import type { ConnectionProbeOptions } from './connection-probe.js';
import type { RuleContext } from '../stage/facts.js';
import { createSessionOpener } from './session-opener.js';
import type { AcceptsAt, OutgoingFrame, Fixture, ServeFixture } from './fixture.js';
import { Trace } from './trace.js';
import type { Side } from './trace.js';
import { PendingWaits } from './pending-waits.js';

/** How long the kit waits. */
export interface Timeouts {
  readonly stepTimeoutMs: number;
  readonly closeTimeoutMs: number;
  /** How long one law may take in all, its rig and the clearing away after it included. */
  readonly ruleTimeoutMs: number;
}

/** The part of a law's time that is kept for clearing away. */
const clearingPart = 1 / 8;

/** Both ends of one connection. */
export interface ConnectionPair {
  readonly client: ConnectionProbe;
  readonly served: ConnectionProbe;
}

/** One law's own served transport, with a record of everything that happens on it. */
export class Harness {
  readonly trace: Trace = new Trace();
  readonly calls: CallTracker = new CallTracker();
  /** Every served end so far; empty where the served side is remote. */
  readonly accepted: ConnectionProbe[] = [];
  readonly timeouts: Timeouts;
  readonly #dialled: ConnectionProbe[] = [];
  readonly #hold = { next: false };
  readonly #waits = new PendingWaits();
  readonly #openingMethods = new Set<unknown>();
  readonly #clearedAt: number;
  /** When the waiting of the law itself is over. */
  #endsAt: number;
  #rig: Fixture | undefined;
  #stopping: Promise<void> | undefined;

  /** @param startedAt When the law's time began, on the kit's clock. */
  constructor(timeouts: Timeouts, startedAt: number = now()) {
    this.timeouts = timeouts;
    this.#clearedAt = startedAt + timeouts.ruleTimeoutMs;
    this.#endsAt = this.#clearedAt - timeouts.ruleTimeoutMs * clearingPart;
  }

  async setUp(serve: ServeFixture): Promise<void> {
    const served = callFixtureHook('serve', () => serve(this.#acceptor()));
    const rig: Partial<Fixture> | undefined = await this.within(served, "the rig's `serve` to resolve");
    checkFixture(rig);
    this.#rig = rig;
  }

  /** Holds a law to its time, also where it waits for nothing that can be polled. */
  inTime(proof: Promise<void>): Promise<void> {
    proof.catch(() => undefined);
    // A wait of its own that ends at the same time has the better words.
    const left = Math.max(0, this.#endsAt - now()) + this.timeouts.ruleTimeoutMs / 100;
    return inTime(proof, left, () => new Error(`${this.#over()} while it waited for ${this.#waits.text()}`));
  }

  get fixture(): Fixture {
    assert(this.#rig !== undefined, 'serve() has not resolved');
    return this.#rig;
  }

  get acceptsAt(): AcceptsAt {
    return this.fixture.acceptsAt ?? 'dial';
  }

  async ruleContext(remote: boolean): Promise<RuleContext> {
    const alike = remote || this.acceptsAt === 'dial';
    const { client, served } = alike ? { client: await this.open() } : await this.pair();
    const { injectFrame, cut, cutLane, resumesLanes = false } = this.fixture;
    return {
      traits: client.connection.traits,
      servedTraits: (served ?? client).connection.traits,
      acceptsAt: this.acceptsAt,
      outOfProcess: remote,
      canInjectFrame: injectFrame !== undefined,
      canCut: cut !== undefined,
      canCutLane: cutLane !== undefined,
      resumesLanes,
    };
  }

  /** What the rig makes of a message of the kit. */
  prepare(message: JsonRpcMessage, envelope: SendOptions = {}): OutgoingFrame {
    return this.fixture.prepare?.(message, envelope) ?? { message, options: envelope };
  }

  /** Dials; the end is not started. */
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

  /** Starts what was dialled, and opens its session where there is one. */
  async begin(end: ConnectionProbe): Promise<void> {
    end.start();
    await this.#opening(end);
    // The answers of the opening are none that a law waits for.
    end.deliveries.length = 0;
  }

  /**
   * Dials and gives both ends, one of them not started where `held` says so: a session is then still opening. The served
   * end of an endpoint is the same for all and never held.
   */
  async pair(held: 'none' | 'served' | 'client' = 'none'): Promise<ConnectionPair> {
    const before = this.acceptsAt === 'endpoint' ? 0 : this.accepted.length;
    if (this.acceptsAt === 'endpoint' && this.accepted.length === 0) await this.#wakeEndpoint();
    this.#hold.next = held === 'served';
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
    return { client, served };
  }

  async #opening(end: ConnectionProbe): Promise<void> {
    if (this.acceptsAt === 'session')
      await callFixtureHook('openSession', () =>
        this.fixture.openSession?.(createSessionOpener(this, end, this.#openingMethods)),
      );
  }

  /** An endpoint may be accepted as late as at its first request. */
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
    assert(left < withinMs, `waited ${String(withinMs)} ms for ${what}`);
    assert(false, `${this.#over()} while it waited for ${what}`);
  }

  /** Waits until so many have come; as long as one after the other comes in time it goes on. */
  async untilCount(count: () => number, least: number, what: string): Promise<void> {
    for (let seen = count(); seen < least; seen = count()) {
      await this.until(() => count() > seen, what);
    }
  }

  /** Whether a condition comes to hold in time; `what` names it where the law's own time ends meanwhile. */
  holds(
    check: () => boolean,
    withinMs = this.timeouts.stepTimeoutMs,
    what = 'a condition',
  ): Promise<boolean> {
    return this.#waits.during(what, holdsWithin(check, Math.min(withinMs, this.#endsAt - now())));
  }

  /** The value of a promise that has to settle in time. */
  async within<T>(
    promise: Promise<T>,
    what: string,
    withinMs: number = this.timeouts.stepTimeoutMs,
  ): Promise<T> {
    let settled = false;
    const watched = promise.finally(() => {
      settled = true;
    });
    watched.catch(() => undefined);
    await this.until(() => settled, what, withinMs);
    return watched;
  }

  close(end: ConnectionProbe): Promise<void> {
    return this.within(end.connection.close(), 'close() to resolve', this.timeouts.closeTimeoutMs);
  }

  /** Closes the rig, once. */
  async stopServing(): Promise<void> {
    this.#stopping ??= callFixtureHook('close', () => this.#rig?.close());
    await this.within(this.#stopping, "the rig's `close` to resolve", this.timeouts.closeTimeoutMs);
  }

  /** Closes whatever the law left open. Rejects where the rig's own `close` does not do its part. */
  async tearDown(): Promise<void> {
    this.#endsAt = (now() + this.#clearedAt) / 2;
    await Promise.allSettled(this.#dialled.map((end) => this.close(end)));
    this.#endsAt = this.#clearedAt;
    await this.stopServing();
  }

  /** What has to be so whatever a law is about; once everything is closed. */
  async inspect(): Promise<void> {
    await this.until(() => this.#waits.sends === 0, 'every send to settle once its connection is closed');
    for (const end of [...this.#dialled, ...this.accepted]) {
      if (end.closes.length > 1) equal(end.closes.length, 1, `calls of ${closedOn(end)}`);
      equal(end.late, [], `calls after ${closedOn(end)}`);
    }
    equal(this.calls.inside, [], 'deliveries inside a call');
  }

  #over(): string {
    return `the ${String(this.timeouts.ruleTimeoutMs)} ms that one law may take were over`;
  }

  #sideOf(side: Side): ConnectionProbeOptions {
    const { trace, calls } = this;
    const shared = { side, trace, calls, waits: this.#waits, openingMethods: this.#openingMethods };
    return side === 'served' ? shared : { ...shared, prepare: (...sent) => this.prepare(...sent) };
  }

  #acceptor(): ConnectionHandler {
    return {
      accept: (connection) => {
        const end = new ConnectionProbe(connection, this.#sideOf('served'));
        const speaker = {
          send: end.send.bind(end),
          endLane: (lane: Lane) => connection.endLane(lane),
          close: () => connection.close(),
          held: [],
        };
        end.onReceived = (incoming, arrival) => answerRequest(speaker, incoming, arrival);
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
