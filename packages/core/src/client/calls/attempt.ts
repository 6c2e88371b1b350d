import type { JsonObject } from '@rxmcp/jsonrpc';
import { TransportError } from '@rxmcp/transport';
import { RxmcpError, RpcError } from '../../base/errors.js';
import type { ResponseEvent, Interceptor } from '../../contract/interceptor.js';
import type { LogRecord } from '../../contract/remote.js';
import type { Meter } from '../../contract/stats.js';
import type { CallHandler, PendingCall } from '../../peer/calls.js';
import type { CallSink } from '../../streams/call.js';
import { callStream } from '../../streams/call.js';
import { Interception } from './interception.js';
import { eventsTo } from './received-events.js';
import type { RemoteCore } from '../remote-core.js';

/** What an attempt needs of its call. */
export interface Attempting {
  readonly method: string;
  readonly params: JsonObject | undefined;
  readonly to: CallHandler;
  logged(record: LogRecord): void;
  send(params: JsonObject, handler: CallHandler): PendingCall;
  cancelCall(call: PendingCall): void;
}

/** One round of a call with interceptors around its request. They may send the request several times, or never. */
export class Attempt {
  /** The last request that was sent. */
  call: PendingCall | undefined = undefined;
  #sink: CallSink<ResponseEvent> | undefined;
  readonly #interception: Interception;

  constructor(
    interceptors: readonly Interceptor[],
    remote: RemoteCore,
    private readonly of: Attempting,
  ) {
    const { method, params, to } = of;
    const last = (given: JsonObject) => callStream<ResponseEvent>((sink) => this.#send(given, sink));
    this.#interception = new Interception(interceptors, remote, method, params, last, {
      result: (result) => to.result(result),
      failed: (error) => to.failed(error as Error),
      progress: (progress) => to.progress?.(progress),
      log: (record) => of.logged(record),
    });
  }

  log(record: LogRecord): void {
    this.#sink?.next({ type: 'log', ...record });
  }

  cancel(): void {
    this.#interception.cancel();
  }

  #send(params: JsonObject, sink: CallSink<ResponseEvent>): { cancel(): void } {
    this.#sink = sink;
    const call = this.of.send(params, eventsTo(sink));
    this.call = call;
    return { cancel: () => this.of.cancelCall(call) };
  }
}

/** Returns a call handler that also counts the call. */
export function countedHandler(
  meter: Meter,
  method: string,
  params: JsonObject | undefined,
  handler: CallHandler,
): CallHandler {
  const measured = meter.begin(method, params, undefined);
  return {
    result(result) {
      measured.succeeded(result);
      handler.result(result);
    },
    failed(error) {
      measured.failed(codeOf(error));
      handler.failed(error);
    },
    progress: (progress) => handler.progress?.(progress),
    dropped: () => measured.cancelled(),
  };
}

function codeOf(error: Error): string | number {
  return RpcError.is(error) || RxmcpError.is(error) || TransportError.is(error) ? error.code : 'other';
}
