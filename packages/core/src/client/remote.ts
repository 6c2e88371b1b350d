import type { JsonObject } from '@rxmcp/jsonrpc';
import type { Observable } from 'rxjs';
import { isThenable } from '../base/checks.js';
import { invalidResult, RxmcpError } from '../base/errors.js';
import { setRemoteLink } from '../contract/remote-link.js';
import type { RemoteLink } from '../contract/remote-link.js';
import type { CallEvent, LogRecord, Remote, RequestOptions } from '../contract/remote.js';
import type { StandardSchema } from '../contract/standard-schema.js';
import { formatIssues } from '../contract/standard-schema.js';
import type { Health, RemoteStats } from '../contract/stats.js';
import { notification } from '../peer/writer.js';
import { eventLoopHealth, emptyMeterStats } from '../stats/counting.js';
import { awaitableCall, awaitableEvents } from '../streams/call.js';
import type { CallSink } from '../streams/call.js';
import { liveValue } from './subscriptions/live-value.js';
import { walkPages } from './calls/pages.js';
import { progressEvent } from './calls/received-events.js';
import type { RemoteCore } from './remote-core.js';
import type { RunSink } from './calls/interception.js';
import type { RunSpec } from './calls/run.js';
import { startRun } from './calls/start-run.js';

/** Creates the public Remote of a core. */
export function remoteOf(core: RemoteCore): Remote {
  const remote: Remote = {
    get info() {
      return core.latest.greeting?.info;
    },
    get capabilities() {
      return core.latest.greeting?.capabilities ?? {};
    },
    get version() {
      return core.latest.version;
    },
    get instructions() {
      return core.latest.greeting?.instructions;
    },
    status$: core.status.stream,
    faults$: core.faults.stream,
    wire$: core.wires.stream,
    alerts$: core.alerts.stream,
    stats: () => remoteStats(core),
    health: () => remoteHealth(core),
    request<T>(method: string, params?: JsonObject, { schema, ...options }: RequestOptions<T> = {}) {
      const spec = { method, params, options };
      return awaitableCall<T>((sink) => startRun(core, spec, checked(sink, method, schema)));
    },
    async notify(method, params) {
      const { session } = core;
      if (session === undefined)
        throw new RxmcpError('CLOSED', `"${method}" not sent: the remote is not open`);
      let failure: Error | undefined;
      await session.peer.writer.send(notification(method, params), { version: session.version }, (error) => {
        failure = error;
      });
      if (failure !== undefined) throw failure;
    },
    close: () => core.close(),
    [Symbol.asyncDispose]: () => core.close(),
  };
  setRemoteLink(remote, linkOf(core));
  return remote;
}

function linkOf(core: RemoteCore): RemoteLink {
  const values = new Map<string, Observable<unknown>>();
  return {
    has(capability, flag) {
      const declared = core.latest.greeting?.capabilities[capability];
      if (typeof declared !== 'object' || declared === null) return false;
      return flag === undefined || (declared as JsonObject)[flag] === true;
    },
    get sendsHeaderParams() {
      const { era, connection } = core.latest;
      return era?.sendsHeaderParams === true && connection.traits.carriesHeaders;
    },
    fault: (fault) => core.fault(fault),
    call: (spec) => awaitableCall((sink) => startRun(core, spec, new ResultSink(sink, spec.decode))),
    events: <T>(spec: RunSpec & { decode: (result: JsonObject) => T }) =>
      awaitableEvents<T>((sink) => startRun(core, spec, new EventSink(sink, spec.decode))),
    pages: (spec) => awaitableCall((sink) => walkPages(core, spec, sink)),
    live<T>(
      key: string,
      topics: Parameters<RemoteLink['live']>[1],
      read: () => Observable<T>,
    ): Observable<T> {
      let value = values.get(key) as Observable<T> | undefined;
      if (value === undefined) {
        const made = liveValue(core, topics, read, (isRunning) => {
          // The number of resources that a gateway follows, one after the other, has no limit.
          if (isRunning && !values.has(key)) values.set(key, made);
          // After the end a late subscriber receives the end at once.
          if (!isRunning && core.hasEnded === undefined && values.get(key) === made) values.delete(key);
          if (!isRunning) core.heldResponses.hold(key, 0, core.latest.holder);
        });
        value = made;
        values.set(key, made);
      }
      return value;
    },
    hold: (name, bytes) => core.heldResponses.hold(name, bytes, core.latest.holder),
    records$: core.records.stream,
    setLogLevel: (level) =>
      awaitableCall<void>((sink) => {
        let open = true;
        const take = core.session?.era?.setLogLevel(core.session, level, (error) => {
          if (!open) return;
          if (error !== undefined) sink.error(error);
          else {
            core.logLevel = level;
            sink.next(undefined);
            sink.complete();
          }
        });
        if (take === undefined) {
          queueMicrotask(
            () =>
              open &&
              sink.error(new RxmcpError('CLOSED', 'the log level was not set: the remote is not open')),
          );
        }
        return {
          cancel: () => {
            open = false;
            take?.();
          },
        };
      }),
  };
}

// Classes, because an object of closures costs more than the rest of a call.

/** Emits the result of a call. */
class ResultSink<T> implements RunSink {
  constructor(
    private readonly sink: CallSink<T>,
    private readonly decode: (result: JsonObject) => T,
  ) {}

  result(result: JsonObject): void {
    let value: T;
    try {
      value = this.decode(result);
    } catch (error) {
      this.sink.error(error);
      return;
    }
    this.sink.next(value);
    this.sink.complete();
  }

  failed(error: unknown): void {
    this.sink.error(error);
  }
}

/** Emits the progress, the logs and the result of a call. */
class EventSink<T> implements RunSink {
  constructor(
    private readonly sink: CallSink<CallEvent<T>>,
    private readonly decode: (result: JsonObject) => T,
  ) {}

  result(result: JsonObject): void {
    let event: CallEvent<T>;
    try {
      event = { type: 'result', result: this.decode(result) };
    } catch (error) {
      this.sink.error(error);
      return;
    }
    this.sink.next(event);
    this.sink.complete();
  }

  failed(error: unknown): void {
    this.sink.error(error);
  }

  progress(params: JsonObject): void {
    this.sink.next(progressEvent(params));
  }

  log(record: LogRecord): void {
    this.sink.next({ type: 'log', ...record });
  }
}

function checked<T>(
  sink: CallSink<T>,
  method: string,
  schema: StandardSchema<unknown, T> | undefined,
): RunSink {
  if (schema === undefined) return new ResultSink(sink, (result) => result as T);
  const finish = (
    outcome: { value: T; issues?: undefined } | { issues: readonly { message: string }[] },
  ): void => {
    if (outcome.issues !== undefined) {
      sink.error(invalidResult(method, `is not valid: ${formatIssues(outcome.issues)}`));
    } else {
      sink.next(outcome.value);
      sink.complete();
    }
  };
  return {
    result(result) {
      const outcome = schema['~standard'].validate(result);
      if (isThenable(outcome)) outcome.then(finish, (error: unknown) => sink.error(error));
      else finish(outcome as Parameters<typeof finish>[0]);
    },
    failed: (error) => sink.error(error),
  };
}

/** Returns the statistics of a remote. */
function remoteStats({ meter, session, status }: RemoteCore): RemoteStats {
  return {
    ...(meter?.counted() ?? emptyMeterStats),
    inFlight: session?.peer.calls.size ?? 0,
    subscriptions: status.value.state === 'open' ? status.value.subscriptions.open : 0,
  };
}

/** Returns whether a remote can make calls. */
function remoteHealth({ meter, session, status }: RemoteCore): Health {
  const { value } = status;
  if (value.state !== 'open') return { healthy: false, reason: `the remote is ${value.state}` };
  const max = session?.peer.maxInFlight ?? Infinity;
  if ((session?.peer.calls.size ?? 0) >= max) {
    return { healthy: false, reason: `${max} calls are in flight, which is the limit` };
  }
  return eventLoopHealth(meter?.counted().eventLoopDelayMs ?? 0) ?? { healthy: true };
}
