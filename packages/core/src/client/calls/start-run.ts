import type { JsonObject } from '@rxmcp/jsonrpc';
import { onAbort, rejectUnknownOptions } from '@rxmcp/transport/internal';
import { abortReason } from '../../base/abort-reason.js';
import { describeValue } from '../../base/message-text.js';
import { withMeta } from '../../base/request-meta.js';
import type { ResponseEvent } from '../../contract/interceptor.js';
import type { CallOptions } from '../../contract/remote.js';
import type { CallSink, Running } from '../../streams/call.js';
import { callStream } from '../../streams/call.js';
import { Interception } from './interception.js';
import type { RunSink } from './interception.js';
import { eventsTo } from './received-events.js';
import type { RemoteCore } from '../remote-core.js';
import type { RunSpec } from './run.js';
import { CallRun } from './run.js';

const knownOptions: Record<keyof CallOptions, true> = {
  idleTimeoutMs: true,
  totalTimeoutMs: true,
  signal: true,
  logLevel: true,
  meta: true,
};
const alike = {
  timeout: 'totalTimeoutMs',
  timeoutMs: 'idleTimeoutMs',
  maxTotalTimeout: 'totalTimeoutMs',
  onprogress: 'events(...)',
  onProgress: 'events(...)',
};

/** Starts a logical call: with the client's interceptors around it, if it has any. */
export function startRun(core: RemoteCore, spec: RunSpec, sink: RunSink): Running {
  const { interceptors } = core.core;
  rejectUnknownOptions(spec.method, spec.options, knownOptions, alike);
  if (spec.options !== undefined) checkValues(spec.method, spec.options);
  const signal = spec.options?.signal;
  if (signal !== undefined) return abortable(signal, sink, (to) => startRun(core, withoutSignal(spec), to));
  if (interceptors === undefined) return new CallRun(core, spec, sink);
  const { meta, ...options } = spec.options ?? {};
  const params = meta === undefined ? spec.params : withMeta(spec.params, meta);
  const last = (given: JsonObject, asked: (rounds: number) => void) =>
    callStream<ResponseEvent>((to) => {
      let run: CallRun | undefined = undefined;
      const ended = (): void => asked((run as CallRun | undefined)?.rounds ?? 0);
      const own = { ...spec, params: given, options: options as CallOptions };
      return (run = new CallRun(core, own, sinkFor(to, sink, ended)));
    });
  return new Interception(interceptors, core, spec.method, params, last, sink);
}

// A limit that is no number would end the call at once, or never.
function checkValues(method: string, { idleTimeoutMs, totalTimeoutMs, signal }: CallOptions): void {
  checkDuration(method, 'idleTimeoutMs', idleTimeoutMs);
  checkDuration(method, 'totalTimeoutMs', totalTimeoutMs);
  if (signal !== undefined && typeof signal.addEventListener !== 'function')
    throw new TypeError(
      `${method}: "signal" must be an AbortSignal, such as the "signal" of an AbortController`,
    );
}

function checkDuration(method: string, name: string, value: unknown): void {
  if (value === undefined || (typeof value === 'number' && value > 0)) return;
  throw new TypeError(
    `${method}: "${name}" must be a number of milliseconds above 0, not ${describeValue(value)}`,
  );
}

function withoutSignal({ options, ...spec }: RunSpec): RunSpec {
  const { signal: _, ...others } = options ?? {};
  return { ...spec, options: others };
}

/** Cancels a call when a signal aborts, and then fails with its reason. */
function abortable(signal: AbortSignal, sink: RunSink, start: (sink: RunSink) => Running): Running {
  let open = true;
  let running: Running | undefined;
  const abort = (): void => {
    if (!open) return;
    end();
    running?.cancel();
    sink.failed(abortReason(signal));
  };
  const forget = signal.aborted ? undefined : onAbort(signal, abort);
  const end = (): void => {
    open = false;
    forget?.();
  };
  // Like every end of a call it comes after `subscribe` has returned.
  if (signal.aborted) queueMicrotask(abort);
  else {
    const { progress, log } = sink;
    running = start({
      ...(progress === undefined ? {} : { progress: (params) => progress.call(sink, params) }),
      ...(log === undefined ? {} : { log: (record) => log.call(sink, record) }),
      result(result) {
        end();
        sink.result(result);
      },
      failed(error) {
        end();
        sink.failed(error);
      },
    });
  }
  return {
    cancel: () => {
      end();
      running?.cancel();
    },
  };
}

// Logs are requested only if the caller receives them.
function sinkFor(to: CallSink<ResponseEvent>, { log }: RunSink, ended: () => void): RunSink {
  return {
    ...eventsTo(to, ended),
    ...(log === undefined ? {} : { log: (record) => to.next({ type: 'log', ...record }) }),
  };
}
