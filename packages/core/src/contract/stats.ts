/** How long calls took, in milliseconds. The parts are upper bounds, at most a fifth above what is true. */
export interface LatencyStats {
  readonly count: number;
  readonly sumMs: number;
  readonly maxMs: number;
  /** Half of the calls took no longer. */
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
}

/** What is known of the calls of one method since counting began. */
export interface MethodStats {
  /** Methods that nobody offers are counted together, as `(unknown)`. */
  readonly method: string;
  /** Begun. */
  readonly calls: number;
  readonly inFlight: number;
  /** Taken back by their caller, or cut with their connection. */
  readonly cancelled: number;
  /**
   * Ended badly, by code: that of the JSON-RPC error or of the library's, and `isError` for results of tools that say so. After
   * 32 different ones the rest is `other`.
   */
  readonly errors: Readonly<Record<string, number>>;
  /** Of those that were answered, well or badly. */
  readonly latency: LatencyStats;
  /** About how long parameters and results are as JSON, in all. */
  readonly paramsBytes: number;
  readonly resultBytes: number;
}

/** What was refused or left out so that memory stays bounded. */
export interface DroppedStats {
  /** Refused as too many. */
  readonly requests: number;
  /** Replaced by later progress of the same call while the peer did not read. */
  readonly progress: number;
  readonly logs: number;
  /** Replaced by a later notice of the same thing. */
  readonly notifications: number;
}

/** What is counted only where a description has `stats`. */
export interface MeterStats {
  /** False = nobody counts, and only what is looked up is there. */
  readonly enabled: boolean;
  readonly methods: readonly MethodStats[];
  readonly dropped: DroppedStats;
  /** How long the call that has run for the longest has been running, in milliseconds; 0 = none runs. */
  readonly longestRunningMs: number;
  /** The longest that a timer was late within the last 10 s, in milliseconds; as good as a second. */
  readonly eventLoopDelayMs: number;
  /** Timers that keep this process alive, whoever set them; undefined where the platform does not tell. */
  readonly activeTimers: number | undefined;
}

/** What goes on at a server, all its connections together. */
export interface ServerStats extends MeterStats {
  /** Open connections; a session of Streamable HTTP is one, and so are all its callers without a session. */
  readonly connections: number;
  /** Requests being served, those that wait and open subscriptions included. */
  readonly inFlight: number;
  /** Requests that wait for a place. */
  readonly queued: number;
  readonly subscriptions: number;
  /** Resources being watched. */
  readonly resourceSubscriptions: number;
}

/** What goes on at one remote. */
export interface RemoteStats extends MeterStats {
  /** Requests on the wire, those of the library itself and open subscriptions included. */
  readonly inFlight: number;
  /** Change feeds that are open. */
  readonly subscriptions: number;
}

/** Whether work can be done, and if not, why; in words for whoever runs it. */
export type Health = { readonly healthy: true } | { readonly healthy: false; readonly reason: string };

/** Counts calls; none is made where nobody wants figures. */
export interface Meter {
  /** A call began. `principal` is who calls, at a server. */
  begin(method: string, params: unknown, principal: string | undefined): Measured;
  dropped(what: Exclude<keyof DroppedStats, 'requests'>): void;
  counted(): MeterStats;
  /** From now on the clock is looked at each second. */
  start(): void;
  stop(): void;
}

/** One call that is being counted; it ends once. */
export interface Measured {
  answered(result: unknown): void;
  /** `code`: of the error. */
  failed(code: string | number): void;
  cancelled(): void;
}

/** Makes what counts for one server or one remote. */
export type MeterFactory = (tell: (alert: Alert) => void) => Meter;

/** Something that whoever monitors may want to look at; nothing has gone wrong yet. */
export type Alert = SlowCallAlert | UnusualRateAlert;

/** A call has been running for too long; told once, while it runs or at its end. */
export interface SlowCallAlert {
  readonly type: 'slow-call';
  readonly method: string;
  /** How long it has been running, in milliseconds. */
  readonly runningMs: number;
  /** Who called, at a server that knows. */
  readonly principal?: string;
}

/** There are many more calls or errors than usual, or many fewer calls; told once until it is as usual again. */
export interface UnusualRateAlert {
  readonly type: 'unusual-rate';
  readonly metric: 'calls' | 'errors';
  readonly perSecond: number;
  /** What was usual before, by the second. */
  readonly usualPerSecond: number;
}
