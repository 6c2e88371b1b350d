import type { Message } from '@rxmcp/jsonrpc';
import type { Acceptor, DialOptions, Envelope, Lane } from '@rxmcp/transport';
import { answer } from '../peer/answer.js';
import { assert, equal } from './assert.js';
import { Calls } from './calls.js';
import { checkConnection, checkRig, partOfRig } from './check-rig.js';
import { holdsWithin, inTime, now } from './clock.js';
import { echoes } from './echo.js';
import { closedOn, End } from './end.js';
import type { EndOptions } from './end.js';
import type { Facts } from './facts.js';
import { openerOf } from './opening.js';
import type { Accepts, Dressed, Rig, Serve } from './rig.js';
import { Trace } from './trace.js';
import type { Side } from './trace.js';
import { Waits } from './waits.js';

/** How long the kit waits. */
export interface Patience {
  readonly waitMs: number;
  readonly closeMs: number;
  /** How long one law may take in all, its rig and the clearing away after it included. */
  readonly lawMs: number;
}

/** The part of a law's time that is kept for clearing away. */
const clearingPart = 1 / 8;

/** Both ends of one connection. */
export interface Pair {
  readonly client: End;
  readonly served: End;
}

/** One law's own served transport, with a record of everything that happens on it. */
export class Stage {
  readonly trace: Trace = new Trace();
  readonly calls: Calls = new Calls();
  /** Every served end so far; empty where the served side is remote. */
  readonly accepted: End[] = [];
  readonly patience: Patience;
  readonly #dialled: End[] = [];
  readonly #hold = { next: false };
  readonly #waits = new Waits();
  readonly #openingMethods = new Set<unknown>();
  readonly #clearedAt: number;
  /** When the waiting of the law itself is over. */
  #endsAt: number;
  #rig: Rig | undefined;
  #stopping: Promise<void> | undefined;

  /** @param startedAt When the law's time began, on the kit's clock. */
  constructor(patience: Patience, startedAt: number = now()) {
    this.patience = patience;
    this.#clearedAt = startedAt + patience.lawMs;
    this.#endsAt = this.#clearedAt - patience.lawMs * clearingPart;
  }

  async set(serve: Serve): Promise<void> {
    const served = partOfRig('serve', () => serve(this.#acceptor()));
    const rig: Partial<Rig> | undefined = await this.within(served, "the rig's `serve` to resolve");
    checkRig(rig);
    this.#rig = rig;
  }

  /** Holds a law to its time, also where it waits for nothing that can be polled. */
  inTime(proof: Promise<void>): Promise<void> {
    proof.catch(() => undefined);
    // A wait of its own that ends at the same time has the better words.
    const left = Math.max(0, this.#endsAt - now()) + this.patience.lawMs / 100;
    return inTime(proof, left, () => new Error(`${this.#over()} while it waited for ${this.#waits.text()}`));
  }

  get rig(): Rig {
    assert(this.#rig !== undefined, 'serve() has not resolved');
    return this.#rig;
  }

  get accepts(): Accepts {
    return this.rig.accepts ?? 'dial';
  }

  async facts(remote: boolean): Promise<Facts> {
    const alike = remote || this.accepts === 'dial';
    const { client, served } = alike ? { client: await this.open() } : await this.pair();
    const { garbage, cut, cutLane, resumes = false } = this.rig;
    return {
      traits: client.connection.traits,
      served: (served ?? client).connection.traits,
      accepts: this.accepts,
      remote,
      garbage: garbage !== undefined,
      cut: cut !== undefined,
      cutLane: cutLane !== undefined,
      resumes,
    };
  }

  /** What the rig makes of a message of the kit. */
  dress(message: Message, envelope: Envelope = {}): Dressed {
    return this.rig.dress?.(message, envelope) ?? { message, envelope };
  }

  /** Dials; the end is not started. */
  async dial(options?: DialOptions): Promise<End> {
    const dial = Promise.resolve(this.rig.transport.dial(options));
    const connection = await this.within(dial, 'dial() to resolve');
    checkConnection(connection);
    const end = new End(connection, this.#sideOf('dialled'));
    this.#dialled.push(end);
    return end;
  }

  /** Dials, starts, and opens the session where there is one. */
  async open(): Promise<End> {
    const end = await this.dial();
    await this.begin(end);
    return end;
  }

  /** Starts what was dialled, and opens its session where there is one. */
  async begin(end: End): Promise<void> {
    end.start();
    await this.#opening(end);
    // The answers of the opening are none that a law waits for.
    end.deliveries.length = 0;
  }

  /**
   * Dials and gives both ends, one of them not started where `held` says so: a session is then still opening. The served
   * end of an endpoint is the same for all and never held.
   */
  async pair(held: 'none' | 'served' | 'client' = 'none'): Promise<Pair> {
    const before = this.accepts === 'endpoint' ? 0 : this.accepted.length;
    if (this.accepts === 'endpoint' && this.accepted.length === 0) await this.#wakeEndpoint();
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

  async #opening(end: End): Promise<void> {
    if (this.accepts === 'opening')
      await partOfRig('open', () => this.rig.open?.(openerOf(this, end, this.#openingMethods)));
  }

  /** An endpoint may be accepted as late as at its first request. */
  async #wakeEndpoint(): Promise<void> {
    const scout = await this.open();
    await echoes(this, scout);
    await this.close(scout);
    for (const { deliveries } of this.accepted) deliveries.length = 0;
  }

  /** Waits for a condition by polling; fails with what was waited for. */
  async until(check: () => boolean, what: string, withinMs: number = this.patience.waitMs): Promise<void> {
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
  holds(check: () => boolean, withinMs = this.patience.waitMs, what = 'a condition'): Promise<boolean> {
    return this.#waits.during(what, holdsWithin(check, Math.min(withinMs, this.#endsAt - now())));
  }

  /** The value of a promise that has to settle in time. */
  async within<T>(promise: Promise<T>, what: string, withinMs: number = this.patience.waitMs): Promise<T> {
    let settled = false;
    const watched = promise.finally(() => {
      settled = true;
    });
    watched.catch(() => undefined);
    await this.until(() => settled, what, withinMs);
    return watched;
  }

  close(end: End): Promise<void> {
    return this.within(end.connection.close(), 'close() to resolve', this.patience.closeMs);
  }

  /** Closes the rig, once. */
  async stopServing(): Promise<void> {
    this.#stopping ??= partOfRig('close', () => this.#rig?.close());
    await this.within(this.#stopping, "the rig's `close` to resolve", this.patience.closeMs);
  }

  /** Closes whatever the law left open. Rejects where the rig's own `close` does not do its part. */
  async strike(): Promise<void> {
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
    return `the ${String(this.patience.lawMs)} ms that one law may take were over`;
  }

  #sideOf(side: Side): EndOptions {
    const { trace, calls } = this;
    const shared = { side, trace, calls, waits: this.#waits, openingMethods: this.#openingMethods };
    return side === 'served' ? shared : { ...shared, dress: (...sent) => this.dress(...sent) };
  }

  #acceptor(): Acceptor {
    return {
      accept: (connection) => {
        const end = new End(connection, this.#sideOf('served'));
        const speaker = {
          send: end.send.bind(end),
          endLane: (lane: Lane) => connection.endLane(lane),
          close: () => connection.close(),
          held: [],
        };
        end.onReceived = (incoming, arrival) => answer(speaker, incoming, arrival);
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
