import { TestScheduler } from 'rxjs/testing';
import { equalDeep } from './equal-deep.js';

/** The helpers of a marble test: `cold`, `hot`, `expectObservable`, `expectSubscriptions`, `flush`, `time`, `animate`. */
export type MarbleHelpers = Parameters<Parameters<TestScheduler['run']>[0]>[0];

/**
 * Runs a marble test in the virtual time of RxJS.
 * Only the timers of RxJS are virtual, not promises: give your code streams of `cold` and `hot`. For code that uses a remote see {@link wireMarbles}.
 * @throws Error that shows both sequences of events if they differ
 */
export function marbles<T>(test: (helpers: MarbleHelpers) => T): T {
  return new TestScheduler((actual, expected) => {
    if (equalDeep(actual, expected)) return;
    throw new Error(`the events differ\n--- expected\n${listed(expected)}\n--- happened\n${listed(actual)}`);
  }).run(test);
}

interface Event {
  readonly frame: number;
  readonly notification: { readonly kind: string; readonly value?: unknown; readonly error?: unknown };
}

/** Events of a marble test as text, one per line. */
export function listed(events: unknown): string {
  if (!Array.isArray(events)) return shown(events);
  return events.map((event: unknown) => (isEvent(event) ? lineOf(event) : shown(event))).join('\n');
}

function lineOf({ frame, notification: { kind, value, error } }: Event): string {
  if (kind === 'N') return `${frame} ms: ${shown(value)}`;
  return `${frame} ms: ${kind === 'C' ? 'complete' : `error ${shown(error)}`}`;
}

function isEvent(event: unknown): event is Event {
  return typeof event === 'object' && event !== null && 'frame' in event && 'notification' in event;
}

function shown(value: unknown): string {
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}
