import type { MemoryBudget, MemoryStats } from '@rxmcp/transport';

/** The latency of calls, in milliseconds. Percentiles are upper bounds, at most 20 % above the true value. */
export interface LatencyStats {
  readonly count: number;
  readonly sumMs: number;
  readonly maxMs: number;
  /** Half of the calls took at most this long. */
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
}

/** The statistics of one method since counting began. */
export interface MethodStats {
  /** The name of the method. Calls of methods without an offer are counted together as `(unknown)`. */
  readonly method: string;
  /** Calls that began. */
  readonly calls: number;
  readonly inFlight: number;
  /** Calls that their caller cancelled, or that ended with their connection. */
  readonly cancelled: number;
  /**
   * Failed calls by code: that of the JSON-RPC error or of the library, or `isError` for such tool results. After
   * 32 different codes the rest counts as `other`.
   */
  readonly errors: Readonly<Record<string, number>>;
  /** The latency of the calls that were answered, with a result or an error. */
  readonly latency: LatencyStats;
  /** The estimated size of all parameters as JSON, in bytes. */
  readonly paramsBytes: number;
  readonly resultBytes: number;
}

/** How many messages were rejected or dropped to bound memory, by their kind. */
export interface DroppedMessageStats {
  /** Requests that were rejected because of a limit. */
  readonly requests: number;
  /** Progress that later progress of the same call replaced while the peer was slow. */
  readonly progress: number;
  readonly logs: number;
  /** Notifications that a later one about the same thing replaced while the peer was slow. */
  readonly notifications: number;
}

/** Statistics of calls. They are counted only with `stats` in the options of a server or client. */
export interface MeterStats {
  /** False if there is no `stats` option. The fields of this interface are then empty. */
  readonly enabled: boolean;
  readonly methods: readonly MethodStats[];
  readonly dropped: DroppedMessageStats;
  /** How long the oldest running call has been running, in milliseconds; 0 without one. */
  readonly longestRunningMs: number;
  /** The longest delay of the event loop within the last 10 s, in milliseconds. Measured once per second. */
  readonly eventLoopDelayMs: number;
  /** The timers of the whole process that keep it alive. Undefined if the platform does not report them. */
  readonly activeTimers: number | undefined;
}

/** The statistics of a server over all its connections. */
export interface ServerStats extends MeterStats {
  /** Open connections. A Streamable HTTP session is one connection; all callers without a session share one. */
  readonly connections: number;
  /** Requests in progress, including those that wait and open subscriptions. */
  readonly inFlight: number;
  /** Requests that wait for a free slot. */
  readonly queued: number;
  readonly subscriptions: number;
  /** Watched resources. */
  readonly resourceSubscriptions: number;
  /** What the memory budget of the server has charged. */
  readonly memory: MemoryStats;
}

/** The statistics of one remote. */
export interface RemoteStats extends MeterStats {
  /** Requests in flight, including those of the library and open subscriptions. */
  readonly inFlight: number;
  /** Lists and resources whose changes are subscribed to. */
  readonly subscriptions: number;
}

/** Whether a server or remote works; if not, the reason is a text for operators. */
export type Health = { readonly healthy: true } | { readonly healthy: false; readonly reason: string };

/** Counts calls. Created only with the `stats` option. */
export interface Meter {
  /** Counts the start of a call. `principal` is the caller on a server. */
  begin(method: string, params: unknown, principal: string | undefined): Measured;
  dropped(what: Exclude<keyof DroppedMessageStats, 'requests'>): void;
  counted(): MeterStats;
  /** Starts the timer that measures the event loop and rates each second. */
  start(): void;
  stop(): void;
}

/** One call that is being counted. It ends once. */
export interface Measured {
  succeeded(result: unknown): void;
  /** `code` is that of the error. */
  failed(code: string | number): void;
  cancelled(): void;
}

/** What `meter()` returns, for the option `stats`: creates the meter of one server or one remote. A server passes its memory budget, whose pressure is reported. */
export type MeterFactory = (onAlert: (alert: Alert) => void, memory?: MemoryBudget) => Meter;

/** Something that an operator may want to look at. Nothing has failed yet. */
export type Alert = SlowCallAlert | UnusualRateAlert | MemoryPressureAlert;

/** A call runs for too long. Reported once per call, while it runs or at its end. */
export interface SlowCallAlert {
  readonly type: 'slow-call';
  readonly method: string;
  /** How long it has been running, in milliseconds. */
  readonly runningMs: number;
  /** The authenticated caller, on a server. */
  readonly principal?: string;
}

/** There are many more calls or errors than usual, or far fewer calls. Reported once until the rate is as usual again. */
export interface UnusualRateAlert {
  readonly type: 'unusual-rate';
  readonly metric: 'calls' | 'errors';
  readonly perSecond: number;
  /** The usual rate per second. */
  readonly usualPerSecond: number;
}

/** More than 80 % of the memory budget of a server is held. Reported once until it is less. */
export interface MemoryPressureAlert extends MemoryStats {
  readonly type: 'memory-pressure';
}
