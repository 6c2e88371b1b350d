import type { Observable, Subscription } from 'rxjs';
import { defer, dematerialize, finalize, map, merge, NEVER, Subject, timer } from 'rxjs';
import { equalDeep } from '../equal-deep.js';
import type { DrawnEvent, Stay } from './grammar.js';
import { eventsOf, lengthOf, stayOf } from './grammar.js';
import { listed } from './listed.js';

/** A stream that plays a diagram and keeps who came and went. */
export type DrawnStream<T> = Observable<T> & { readonly subscriptions: readonly Stay[] };

/** Something that has to hold once all has happened. */
export interface Check {
  /** How long what is drawn lasts. */
  readonly untilMs: number;
  look(): void;
}

/** Plays a diagram to each subscriber from its first character. @stream call */
export function coldOf<T>(
  diagram: string,
  values?: Readonly<Record<string, T>>,
  error?: unknown,
): DrawnStream<T> {
  if (diagram.includes('^'))
    throw new TypeError('a cold stream begins when it is subscribed to: "^" is for hot ones');
  const { events } = eventsOf(diagram, values, error);
  const subscriptions: Stay[] = [];
  const stream = defer(() => {
    const place = subscriptions.push({ subscribedFrame: performance.now(), unsubscribedFrame: Infinity }) - 1;
    return played<T>(events).pipe(
      finalize(() => {
        const { subscribedFrame } = subscriptions[place] as Stay;
        subscriptions[place] = { subscribedFrame, unsubscribedFrame: performance.now() };
      }),
    );
  });
  return Object.assign(stream, { subscriptions });
}

/** Plays a diagram to whoever is there, from its `^` on, which is now. @stream event */
export function hotOf<T>(
  diagram: string,
  values?: Readonly<Record<string, T>>,
  error?: unknown,
): Observable<T> {
  const subject = new Subject<T>();
  const { events } = eventsOf(diagram, values, error);
  played<T>(events.filter(({ frame }) => frame >= 0)).subscribe(subject);
  return subject.asObservable();
}

function played<T>(events: readonly DrawnEvent[]): Observable<T> {
  const all = events.map(({ frame, notification }) => timer(frame).pipe(map(() => notification)));
  return merge(...all, NEVER).pipe(dematerialize()) as Observable<T>;
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
    const untilMs = Math.max(lengthMs, lengthOf(stay ?? ''));
    return { untilMs, look: () => alike('events', happened, events.map(plain)) };
  };
}

/** What has to hold of the comings and goings of subscribers. */
export function stayed(subscriptions: readonly Stay[], diagrams: readonly string[]): Check {
  const expected = diagrams.map(stayOf).filter(({ subscribedFrame }) => subscribedFrame < Infinity);
  return {
    untilMs: Math.max(0, ...diagrams.map(lengthOf)),
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
