/** The severities of syslog, from the least to the gravest (RFC 5424). */
export type LogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency';

/** All levels, in ascending gravity. */
export const logLevels: readonly LogLevel[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];

const item = Symbol.for('rxmcp.item');

/** A progress report among the items of a streaming handler. */
export interface ProgressItem {
  readonly [item]: 'progress';
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** A log record among the items of a streaming handler. */
export interface LogItem {
  readonly [item]: 'log';
  readonly level: LogLevel;
  readonly data: unknown;
  readonly logger?: string;
}

/** Makes a progress report for a streaming handler to emit before its result. `progress` has to grow from one to the next. */
export function progress(done: number, total?: number, message?: string): ProgressItem {
  return {
    [item]: 'progress',
    progress: done,
    ...(total === undefined ? {} : { total }),
    ...(message === undefined ? {} : { message }),
  };
}

/** Makes a log record for a streaming handler to emit before its result. */
export function log(level: LogLevel, data: unknown, logger?: string): LogItem {
  return { [item]: 'log', level, data, ...(logger === undefined ? {} : { logger }) };
}

/** Tells a report from a result. */
export function reportKind(value: unknown): 'progress' | 'log' | undefined {
  return typeof value === 'object' && value !== null
    ? ((value as Record<symbol, unknown>)[item] as 'progress' | 'log' | undefined)
    : undefined;
}

/** Where the `_meta` of a log record says how many before it were lost. */
export const lostLogsKey = 'rxmcp/lost';
