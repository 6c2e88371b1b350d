import type { Acceptor, DialOptions } from '@rxmcp/transport';
import type { Facts } from '../law.js';
import { answer } from '../peer/answer.js';
import { holdsWithin, inTime, now } from './clock.js';
import { Calls, End } from './end.js';
import { checkConnection, checkRig, partOfRig, type Rig, type Serve } from './rig.js';
import { Trace } from './trace.js';
import { assert } from './verdict.js';
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

  async facts(remote: boolean): Promise<Facts> {
    const { connection } = await this.open();
    const { garbage, cut } = this.rig;
    return { traits: connection.traits, remote, garbage: garbage !== undefined, cut: cut !== undefined };
  }

  /** Dials; the end is not started. */
  async dial(options?: DialOptions): Promise<End> {
    const dial = Promise.resolve(this.rig.transport.dial(options));
    const connection = await this.within(dial, 'dial() to resolve');
    checkConnection(connection);
    const end = new End(connection, 'dialled', this.trace, this.calls, this.#waits);
    this.#dialled.push(end);
    return end;
  }

  /** Dials and starts. */
  async open(): Promise<End> {
    const end = await this.dial();
    end.start();
    return end;
  }

  /** Dials and gives both ends, neither started where `held` says so. */
  async pair(held: 'none' | 'served' | 'client' = 'none'): Promise<Pair> {
    const before = this.accepted.length;
    this.#hold.next = held === 'served';
    const client = await this.dial();
    if (held !== 'client') client.start();
    await this.until(() => this.accepted.length > before, 'the served side to accept the connection');
    this.#hold.next = false;
    const served = this.accepted[before];
    assert(served !== undefined, 'the served side accepted nothing');
    return { client, served };
  }

  /** Waits for a condition by polling; fails with what was waited for. */
  async until(check: () => boolean, what: string, withinMs: number = this.patience.waitMs): Promise<void> {
    const left = this.#endsAt - now();
    const held = await this.holds(check, withinMs, what);
    if (held) return;
    assert(left < withinMs, `waited ${String(withinMs)} ms for ${what}`);
    assert(false, `${this.#over()} while it waited for ${what}`);
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

  #over(): string {
    return `the ${String(this.patience.lawMs)} ms that one law may take were over`;
  }

  #acceptor(): Acceptor {
    return {
      accept: (connection) => {
        const end = new End(connection, 'served', this.trace, this.calls, this.#waits);
        const speaker = {
          send: end.send.bind(end),
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
