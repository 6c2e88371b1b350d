import type { Observable, Subscription } from 'rxjs';
import { defer, dematerialize, finalize, map, merge, NEVER, Subject, timer } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { equalDeep } from './equal-deep.js';
import { listed } from './marbles.js';

/** A stream that plays a diagram and records its subscriptions. */
export type TestStream<T> = Observable<T> & { readonly subscriptions: readonly SubscriptionWindow[] };

/** An expectation that is checked at the end. */
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
): TestStream<T> {
  if (diagram.includes('^'))
    throw new TypeError('a cold stream begins with its subscription: use "^" only in hot ones');
  const { events } = eventsOf(diagram, values, error);
  const subscriptions: SubscriptionWindow[] = [];
  const stream = defer(() => {
    const place = subscriptions.push({ subscribedFrame: performance.now(), unsubscribedFrame: Infinity }) - 1;
    return played<T>(events).pipe(
      finalize(() => {
        const { subscribedFrame } = subscriptions[place] as SubscriptionWindow;
        subscriptions[place] = { subscribedFrame, unsubscribedFrame: performance.now() };
      }),
    );
  });
  return Object.assign(stream, { subscriptions });
}

/** Plays a diagram to all current subscribers, from its `^` on, which is now. @stream event */
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

/** Subscribes to a stream now. Returns a function that makes the check for the expected diagram. */
export function observed(
  stream: Observable<unknown>,
  stay: string | undefined,
): (diagram: string, values?: unknown, error?: unknown) => Check {
  const { subscribedFrame, unsubscribedFrame } = subscriptionWindow(stay);
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

/** The check of when subscribers subscribed and unsubscribed. */
export function stayed(subscriptions: readonly SubscriptionWindow[], diagrams: readonly string[]): Check {
  const expected = diagrams
    .map(subscriptionWindow)
    .filter(({ subscribedFrame }) => subscribedFrame < Infinity);
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

/** One event of a diagram. */
type DrawnEvent = ReturnType<typeof TestScheduler.parseMarbles>[number];

/** When a subscriber subscribed and unsubscribed; Infinity if that is not drawn. */
export interface SubscriptionWindow {
  readonly subscribedFrame: number;
  readonly unsubscribedFrame: number;
}

// A character is 1 ms, as inside `TestScheduler.run`.
const inRun = { frameTimeFactor: 1 } as typeof TestScheduler;
const ending = '\u0002';

/** The events of a diagram in the grammar of RxJS, and how long it is. */
export function eventsOf(
  diagram: string,
  values?: unknown,
  error?: unknown,
): { readonly events: readonly DrawnEvent[]; readonly lengthMs: number } {
  const events = TestScheduler.parseMarbles.call(
    inRun,
    `${diagram} ${ending}`,
    undefined,
    error,
    false,
    true,
  );
  const named = (values ?? {}) as Readonly<Record<string, unknown>>;
  const valued = events.slice(0, -1).map((event): DrawnEvent => {
    if (event.notification.kind !== 'N') return event;
    const letter = event.notification.value as string;
    const value = Object.hasOwn(named, letter) ? named[letter] : letter;
    return { ...event, notification: { kind: 'N', value } };
  });
  const { frame } = events.at(-1) as DrawnEvent;
  return { events: valued, lengthMs: frame };
}

/** The subscription of a diagram such as `--^---!`; without a diagram from the start and without end. */
function subscriptionWindow(diagram: string | undefined): SubscriptionWindow {
  if (diagram === undefined) return { subscribedFrame: 0, unsubscribedFrame: Infinity };
  const { subscribedFrame, unsubscribedFrame } = TestScheduler.parseMarblesAsSubscriptions.call(
    inRun,
    diagram,
    true,
  );
  return { subscribedFrame, unsubscribedFrame };
}

/** How long such a diagram is. */
function lengthOf(stay: string): number {
  return eventsOf(stay.replaceAll('^', '-').replaceAll('!', '')).lengthMs;
}
