import { TestScheduler } from 'rxjs/testing';

/** One event of a diagram. */
export type DrawnEvent = ReturnType<typeof TestScheduler.parseMarbles>[number];

/** When somebody was there: Infinity where it was not drawn. */
export interface Stay {
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
  return { events: valued, lengthMs: events.at(-1)?.frame ?? 0 };
}

/** When a diagram such as `--^---!` comes and goes; without one from the start and for good. */
export function stayOf(diagram: string | undefined): Stay {
  if (diagram === undefined) return { subscribedFrame: 0, unsubscribedFrame: Infinity };
  const { subscribedFrame, unsubscribedFrame } = TestScheduler.parseMarblesAsSubscriptions.call(
    inRun,
    diagram,
    true,
  );
  return { subscribedFrame, unsubscribedFrame };
}

/** How long such a diagram is. */
export function lengthOf(stay: string): number {
  return eventsOf(stay.replaceAll('^', '-').replaceAll('!', '')).lengthMs;
}
