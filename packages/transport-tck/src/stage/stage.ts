import type { Acceptor, DialOptions } from '@rxmcp/transport';
import type { Facts } from '../law.js';
import { answer } from '../peer/answer.js';
import { holdsWithin } from './clock.js';
import { Calls, End } from './end.js';
import type { Rig, Serve } from './rig.js';
import { Trace } from './trace.js';
import { assert } from './verdict.js';

/** How long the kit waits. */
export interface Patience {
  readonly waitMs: number;
  readonly closeMs: number;
}

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
  #rig: Rig | undefined;

  constructor(patience: Patience) {
    this.patience = patience;
  }

  async set(serve: Serve): Promise<void> {
    this.#rig = await serve(this.#acceptor());
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
    const connection = await this.within(this.rig.transport.dial(options), 'dial() to resolve');
    const end = new End(connection, 'dialled', this.trace, this.calls);
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
    const held = await holdsWithin(check, withinMs);
    assert(held, `waited ${withinMs} ms for ${what}`);
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

  /** Closes whatever the law left open; its own verdict stands already. */
  async strike(): Promise<void> {
    for (const end of this.#dialled) await this.close(end).catch(() => undefined);
    if (this.#rig === undefined) return;
    await this.within(this.#rig.close(), 'the close() of serve()', this.patience.closeMs).catch(
      () => undefined,
    );
  }

  #acceptor(): Acceptor {
    return {
      accept: (connection) => {
        const end = new End(connection, 'served', this.trace, this.calls);
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
