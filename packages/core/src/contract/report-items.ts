import { omitUndefined } from '@rxmcp/transport/internal';

/** The severities of syslog, from the lowest to the highest (RFC 5424 section 6.2.1). */
export type LogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency';

/** All levels, from the lowest severity to the highest. */
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

/** A progress report that a streaming handler emits. */
export interface ProgressItem {
  readonly [item]: 'progress';
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** A log record that a streaming handler emits. */
export interface LogItem {
  readonly [item]: 'log';
  readonly level: LogLevel;
  readonly data: unknown;
  readonly logger?: string;
}

/**
 * Creates a progress report that a streaming handler emits before its result. `done` must increase from one report
 * to the next.
 */
export function progressItem(done: number, total?: number, message?: string): ProgressItem {
  return { [item]: 'progress', progress: done, ...omitUndefined({ total, message }) };
}

/** Creates a log record that a streaming handler emits before its result. */
export function logItem(level: LogLevel, data: unknown, logger?: string): LogItem {
  return { [item]: 'log', level, data, ...omitUndefined({ logger }) };
}

/** Returns the kind of a progress report or log record; undefined for any other value. */
export function reportKind(value: unknown): 'progress' | 'log' | undefined {
  return typeof value === 'object' && value !== null
    ? ((value as Record<symbol, unknown>)[item] as 'progress' | 'log' | undefined)
    : undefined;
}

/** The `_meta` member of a log record that counts the lost records before it. */
export const lostLogsKey = 'rxmcp/lost';
