import { afterInput } from '@rxmcp/transport/internal';
import { now, timer } from '../base/clock.js';
import type { RpcError, RxmcpError } from '../base/errors.js';

/**
 * How many requests are looked up in one turn of the event loop, and for how long, in milliseconds: callers choose how many wait, and how
 * long a lookup takes.
 */
const lookupsPerTurn = 16;
const lookupMs = 5;

interface Waiter<T> {
  readonly finds: (() => boolean) | undefined;
  resolve(list: T): void;
  reject(error: RxmcpError | RpcError): void;
}

/** The requests that wait for a list. */
export class ListWaiters<T> {
  readonly #waiting: Waiter<T>[] = [];
  /** The first ones of them, which have not been looked up in the present list. */
  #unseen = 0;
  #list: { readonly value: T; readonly isWhole: boolean } | undefined = undefined;
  #alarm: ReturnType<typeof setTimeout> | undefined = undefined;

  constructor(
    private readonly timeoutMs: number,
    /** Returns what they are rejected with, so long after the first of them began to wait. */
    private readonly timedOut: () => RxmcpError | RpcError,
  ) {}

  /** Resolves with a list in which `finds` is true, or with one that is whole. */
  add(finds: Waiter<T>['finds']): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ finds, resolve, reject });
      this.#alarm ??= timer(() => this.reject(this.timedOut()), this.timeoutMs);
    });
  }

  /** Looks them up in a new list, some in each turn. */
  listed(value: T, isWhole: boolean): void {
    const isRunning = this.#unseen > 0;
    this.#list = { value, isWhole };
    this.#unseen = this.#waiting.length;
    if (!isRunning) this.#next();
  }

  reject(error: RxmcpError | RpcError): void {
    this.#unseen = 0;
    const waiting = this.#waiting.splice(0);
    this.#next();
    for (const { reject } of waiting) reject(error);
  }

  #next(): void {
    const list = this.#list;
    const from = now();
    for (let left = lookupsPerTurn; left > 0 && this.#unseen > 0 && now() - from < lookupMs; left -= 1) {
      const waiter = this.#waiting.shift() as Waiter<T>;
      this.#unseen -= 1;
      if (list !== undefined && (list.isWhole || waiter.finds?.() !== false)) waiter.resolve(list.value);
      else this.#waiting.push(waiter);
    }
    if (this.#unseen > 0) {
      afterInput(() => this.#next());
      return;
    }
    this.#list = undefined;
    if (this.#waiting.length > 0) return;
    clearTimeout(this.#alarm);
    this.#alarm = undefined;
  }
}
