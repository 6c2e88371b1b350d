import { quoted } from '../../base/message-text.js';
import type { PendingExchange } from '../../peer/exchange-contract.js';

/** What a run of a handler sent before its first ask. The sealed state carries it to the next run. */
export interface SentBeforeAsk {
  /** The first custom notification: its method, and the beginning of its JSON. */
  readonly notification?: { readonly method: string; readonly json: string };
  /** The last progress. */
  readonly progress?: number;
}

/** Enough to distinguish notifications; more would only make the state larger. */
const maxJsonChars = 200;

/** Returns what the running handler has sent so far. Called at its first ask. */
export function sentBeforeAsk({ firstNotification: first, reports }: PendingExchange): SentBeforeAsk {
  const progress = reports?.lastProgress;
  return {
    ...(first === undefined || !('method' in first)
      ? {}
      : { notification: { method: first.method, json: JSON.stringify(first).slice(0, maxJsonChars) } }),
    ...(progress === undefined || !Number.isFinite(progress) ? {} : { progress }),
  };
}

/**
 * Reports the fault REPEATED_BEFORE_ASK if a run sent the same before its first ask as the run before it: the same
 * progress, or the same custom notification. Such a handler does not use `ctx.step` there, and its caller receives
 * everything again in each run. A handler that sends it in its first run only, or in a step, is not reported. Log
 * records are not compared, and other effects, such as writing to a database, cannot be seen.
 */
export function reportRepeated(exchange: PendingExchange, earlier: SentBeforeAsk, now: SentBeforeAsk): void {
  const { notification } = now;
  const what =
    notification !== undefined && notification.json === earlier.notification?.json
      ? `the notification ${quoted(notification.method)}`
      : now.progress !== undefined && now.progress === earlier.progress
        ? 'progress'
        : undefined;
  if (what === undefined) return;
  const { method, params, host } = exchange;
  const name = params.name ?? params.uri;
  const handler = typeof name === 'string' ? `${method} ${quoted(name)}` : method;
  host.fault({
    code: 'REPEATED_BEFORE_ASK',
    message:
      `the handler of ${handler} sends ${what} before its first ask, again in each run: ` +
      'put it into ctx.step(key, fn), or do it only if ctx.round is 1',
  });
}
