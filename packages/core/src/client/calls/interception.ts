import type { JsonObject } from '@rxmcp/jsonrpc';
import type { Observable, Subscription } from 'rxjs';
import { RxmcpError } from '../../base/errors.js';
import { quoted } from '../../base/message-text.js';
import type { Caller } from '../../contract/context.js';
import type { Fault } from '../../contract/faults.js';
import type { ResponseEvent, RequestDetails, Interceptor } from '../../contract/interceptor.js';
import type { Topic } from '../../contract/remote-link.js';
import type { LogRecord } from '../../contract/remote.js';
import type { Running } from '../../streams/call.js';
import { chain } from '../../streams/chain.js';
import type { RemoteCore } from '../remote-core.js';

/** Receives the events of a call, also behind interceptors. `result` or `failed` comes once and last. */
export interface RunSink {
  result(result: JsonObject): void;
  failed(error: unknown): void;
  progress?: ((params: JsonObject) => void) | undefined;
  log?: ((record: LogRecord) => void) | undefined;
}

/** A call, or one request of it, with interceptors around it. */
export class Interception implements Running, RequestDetails {
  readonly side = 'client';
  readonly inputRequired = false;
  rounds = 0;
  #over = false;
  #ended = false;
  #subscription: Subscription | undefined;
  #controller: AbortController | undefined;
  /** Events that interceptors emitted before `subscribe` returned: a call emits nothing inside it. */
  #held: (() => void)[] | undefined = [];

  constructor(
    interceptors: readonly Interceptor[],
    private readonly remote: RemoteCore,
    readonly method: string,
    params: JsonObject | undefined,
    last: (params: JsonObject, asked: (rounds: number) => void) => Observable<ResponseEvent>,
    private readonly sink: RunSink,
  ) {
    this.#subscription = chain(interceptors, this, params ?? {}, (given) =>
      last(given, (rounds) => (this.rounds = rounds)),
    ).subscribe({
      next: (event) => this.#take(event),
      error: (error) => this.#end(() => this.sink.failed(error)),
      complete: () => this.#end(() => this.sink.failed(this.#empty())),
    });
    if (this.#held?.length === 0) this.#held = undefined;
    else queueMicrotask(() => this.#release());
  }

  get version(): string {
    return this.remote.latest.version;
  }

  get caller(): Caller {
    const { greeting } = this.remote.latest;
    return { info: greeting?.info, capabilities: greeting?.capabilities ?? {} };
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#over && !this.#ended) this.#abort();
    return this.#controller.signal;
  }

  get owner(): object {
    return this.remote;
  }

  get changes$(): Observable<Topic | undefined> {
    return this.remote.changes;
  }

  fault(fault: Fault): void {
    this.remote.fault(fault);
  }

  cancel(): void {
    if (this.#over) return;
    this.#over = true;
    this.#held = undefined;
    this.#leave();
    this.#abort();
  }

  #take(event: ResponseEvent): void {
    if (this.#ended) return;
    if (event.type === 'progress') {
      const { progress, total, message } = event;
      this.#emit(() => this.sink.progress?.({ progress, total, message }));
    } else if (event.type === 'log') {
      const { type: _type, ...record } = event;
      this.#emit(() => this.sink.log?.(record));
    } else this.#end(() => this.sink.result(event.result));
  }

  #end(last: () => void): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#emit(() => {
      this.#over = true;
      try {
        last();
      } catch (error) {
        // A validator or decoder that throws fails the call.
        this.sink.failed(error);
      }
      this.#leave();
    });
  }

  #emit(step: () => void): void {
    if (this.#over) return;
    if (this.#held === undefined) step();
    else this.#held.push(step);
  }

  #release(): void {
    for (let step = this.#held?.shift(); step !== undefined; step = this.#held?.shift())
      if (!this.#over) step();
    this.#held = undefined;
  }

  #leave(): void {
    try {
      this.#subscription?.unsubscribe();
    } catch (cause) {
      this.fault({ code: 'HANDLER_FAILED', message: `tearing down ${quoted(this.method)} threw`, cause });
    }
  }

  #abort(): void {
    this.#controller?.abort(new RxmcpError('CANCELLED', `${quoted(this.method)} was cancelled`));
  }

  #empty(): RxmcpError {
    const message = `an interceptor of ${quoted(this.method)} ended without a result`;
    return new RxmcpError('NO_RESULT', message, { outcome: 'unknown' });
  }
}
