import { TestScheduler } from 'rxjs/testing';
import { equalDeep } from './equal-deep.js';

/** What a marble test works with: `cold`, `hot`, `expectObservable`, `expectSubscriptions`, `flush`, `time`, `animate`. */
export type MarbleHelpers = Parameters<Parameters<TestScheduler['run']>[0]>[0];

/**
 * Runs a marble test in the virtual time of RxJS; throws an error that shows both sequences of events when they differ.
 * Virtual are the timers of RxJS, not promises: feed your code streams of `cold` and `hot`, since the messages of a
 * remote, a fake one too, travel outside of marble time.
 */
export function marbles<T>(test: (helpers: MarbleHelpers) => T): T {
  return new TestScheduler((actual, expected) => {
    if (equalDeep(actual, expected)) return;
    throw new Error(`the events differ\n--- expected\n${listed(expected)}\n--- happened\n${listed(actual)}`);
  }).run(test);
}

interface Frame {
  readonly frame: number;
  readonly notification: { readonly kind: string; readonly value?: unknown; readonly error?: unknown };
}

function listed(events: unknown): string {
  if (!Array.isArray(events)) return shown(events);
  return events.map((event: unknown) => (isFrame(event) ? frameOf(event) : shown(event))).join('\n');
}

function frameOf({ frame, notification: { kind, value, error } }: Frame): string {
  if (kind === 'N') return `${frame} ms: ${shown(value)}`;
  return `${frame} ms: ${kind === 'C' ? 'complete' : `error ${shown(error)}`}`;
}

function isFrame(event: unknown): event is Frame {
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
