import type { Observable, Subscription } from 'rxjs';
import { defer, dematerialize, finalize, map, merge, NEVER, Subject, timer } from 'rxjs';
import { equalDeep } from '../equal-deep.js';
import type { DrawnEvent, Stay } from './grammar.js';
import { eventsOf, stayOf } from './grammar.js';
import { listed } from './listed.js';

/** A stream that plays a diagram and keeps who came and went. */
export type DrawnStream<T> = Observable<T> & { readonly subscriptions: readonly Stay[] };

/** Something that has to hold, and how long to wait before it is looked at. */
export interface Check {
  readonly untilMs: number;
  look(): void;
}

/** Plays a diagram to each subscriber from its first character. @stream call */
export function coldOf<T>(
  diagram: string,
  values?: Readonly<Record<string, T>>,
  error?: unknown,
): DrawnStream<T> {
  const { events } = eventsOf(diagram, values, error);
  const subscriptions: Stay[] = [];
  const stream = defer(() => {
    const place = subscriptions.push({ subscribedFrame: performance.now(), unsubscribedFrame: Infinity }) - 1;
    const played = events.map(({ frame, notification }) => timer(frame).pipe(map(() => notification)));
    return merge(...played, NEVER).pipe(
      dematerialize(),
      finalize(() => {
        const { subscribedFrame } = subscriptions[place] as Stay;
        subscriptions[place] = { subscribedFrame, unsubscribedFrame: performance.now() };
      }),
    );
  }) as Observable<T>;
  return Object.assign(stream, { subscriptions });
}

/** Plays a diagram to whoever is there, from now on. @stream event */
export function hotOf<T>(
  diagram: string,
  values?: Readonly<Record<string, T>>,
  error?: unknown,
): Observable<T> {
  const subject = new Subject<T>();
  coldOf(diagram, values, error).subscribe(subject);
  return subject.asObservable();
}

/** Follows a stream from now on; gives what has to hold once a diagram says what is expected. */
export function observed(
  stream: Observable<unknown>,
  stay: string | undefined,
): (diagram: string, values?: unknown, error?: unknown) => Check {
  const { subscribedFrame, unsubscribedFrame } = stayOf(stay);
  const happened: unknown[] = [];
  const take = (kind: string, value?: unknown, error?: unknown): void =>
    void happened.push({ frame: performance.now(), notification: { kind, value, error } });
  let following: Subscription | undefined;
  const come = (): void => {
    following = stream.subscribe({
      next: (value) => take('N', value),
      error: (error: unknown) => take('E', undefined, error),
      complete: () => take('C'),
    });
  };
  if (subscribedFrame > 0) setTimeout(come, subscribedFrame);
  else come();
  if (unsubscribedFrame < Infinity) setTimeout(() => following?.unsubscribe(), unsubscribedFrame);
  return (diagram, values, error) => {
    const { events, lengthMs } = eventsOf(diagram, values, error ?? 'error');
    return { untilMs: lengthMs, look: () => alike('events', happened, events.map(plain)) };
  };
}

/** What has to hold of the comings and goings of subscribers. */
export function stayed(subscriptions: readonly Stay[], diagrams: readonly string[]): Check {
  const expected = diagrams.map(stayOf);
  const last = expected.flatMap(({ subscribedFrame: from, unsubscribedFrame: to }) => [from, to]);
  return {
    untilMs: Math.max(0, ...last.filter(Number.isFinite)),
    look: () => alike('subscriptions', subscriptions, expected),
  };
}

function plain({ frame, notification }: DrawnEvent): unknown {
  const value = notification.kind === 'N' ? (notification.value as unknown) : undefined;
  const error = notification.kind === 'E' ? (notification.error as unknown) : undefined;
  return { frame, notification: { kind: notification.kind, value, error } };
}

function alike(what: string, happened: unknown, expected: unknown): void {
  if (equalDeep(happened, expected)) return;
  throw new Error(`the ${what} differ\n--- expected\n${listed(expected)}\n--- happened\n${listed(happened)}`);
}
