import type { JsonObject } from '@rxmcp/jsonrpc';
import { isObject } from '../../base/checks.js';
import { RxmcpError, RpcError } from '../../base/errors.js';
import type { Ask } from '../../contract/ask.js';
import { capabilityNames } from '../../contract/capability-needs.js';
import type { Caller } from '../../contract/context.js';
import type { MethodOffer } from '../../contract/offer.js';
import { PreparedResult } from '../../contract/offer.js';
import type { InnerContext } from '../../interceptors/intercepted-context.js';
import { settleResult } from '../../output/settle.js';
import type { Asked } from './answers.js';
import { unanswered } from './answers.js';

/** Handles one ask of an `input_required` result. Returns a function that cancels it. */
export function answer(
  offer: MethodOffer | undefined,
  ask: Ask,
  from: Asked,
  done: (answer: JsonObject | Error) => void,
): () => void {
  if (offer === undefined) {
    queueMicrotask(() => done(unanswered(ask)));
    return () => undefined;
  }
  const context = new LocalContext(ask, from);
  let open = true;
  const finish = (value: JsonObject | Error): void => {
    if (!open) return;
    open = false;
    context.isOpen = false;
    done(value);
  };
  let stop: () => void = () => undefined;
  try {
    stop = settleResult(offer.handle(ask.params ?? {}, context), {
      done: (value) => finish(value instanceof PreparedResult ? value.value : value),
      failed: (error) => finish(rejection(ask, error, from)),
      empty: () =>
        finish(
          new RxmcpError('ASK_REJECTED', `"${ask.method}" was not answered: its handler returned nothing`),
        ),
      report: () => undefined,
      teardownFailed: (cause) => context.teardownFailed(cause),
    });
  } catch (error) {
    queueMicrotask(() => finish(rejection(ask, error, from)));
  }
  return () => {
    if (!open) return;
    open = false;
    context.isOpen = false;
    try {
      stop();
    } catch (cause) {
      // A handler whose teardown throws must not keep the others running.
      context.teardownFailed(cause);
    }
    context.abort();
  };
}

// This era has no error response to an ask, so that the call that asked ends here with the reason.
function rejection(ask: Ask, error: unknown, from: Asked): Error {
  if (RxmcpError.is(error, 'ASK_REJECTED')) return error;
  if (!RpcError.is(error) && !RxmcpError.is(error)) {
    from.fault({ code: 'HANDLER_FAILED', message: `the handler of "${ask.method}" failed`, cause: error });
  }
  const why = error instanceof Error ? error.message : String(error);
  return new RxmcpError('ASK_REJECTED', `"${ask.method}" was not answered: ${why}`, { cause: error });
}

class LocalContext implements InnerContext {
  readonly method: string;
  readonly meta: JsonObject;
  readonly round = 1;
  readonly isSuspended = false;
  isOpen = true;
  #controller: AbortController | undefined = undefined;
  #withdrawn = false;
  readonly #done = new Map<string, Promise<unknown>>();

  constructor(
    { method, params }: Ask,
    private readonly from: Asked,
  ) {
    this.method = method;
    this.meta = isObject(params?._meta) ? params._meta : {};
  }

  get host(): Asked {
    return this.from;
  }

  get version(): string {
    return this.from.version;
  }

  get caller(): Caller {
    return this.from.server;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#withdrawn) this.abort();
    }
    return this.#controller.signal;
  }

  abort(): void {
    this.#withdrawn = true;
    this.#controller?.abort(new RxmcpError('CANCELLED', `"${this.method}" was cancelled`));
  }

  progress(): void {
    return;
  }

  log(): void {
    return;
  }

  notify(): void {
    return;
  }

  request(method: string): Promise<JsonObject> {
    return Promise.reject(
      new RxmcpError('ASK_UNAVAILABLE', `"${method}" cannot be sent by the handler of an ask`),
    );
  }

  ask(_key: string, { method }: Ask): Promise<JsonObject> {
    return this.request(method);
  }

  require(needs: JsonObject): void {
    throw new RxmcpError(
      'ASK_UNAVAILABLE',
      `${capabilityNames(needs)} cannot be required by the handler of an ask`,
    );
  }

  teardownFailed(cause: unknown): void {
    const message = `tearing the handler of "${this.method}" down threw`;
    this.from.fault({ code: 'HANDLER_FAILED', message, cause });
  }

  step<T>(key: string, fn: () => T | PromiseLike<T>): Promise<T> {
    let value = this.#done.get(key) as Promise<T> | undefined;
    if (value === undefined) this.#done.set(key, (value = (async () => fn())()));
    return value;
  }
}
