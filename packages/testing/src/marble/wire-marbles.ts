import type { Observable } from 'rxjs';
import { type VirtualTime, type VirtualTimeOptions, virtualTime } from '../time/virtual-time.js';
import type { RecordedTraits } from '../wire/recording.js';
import type { DiagramFrames } from './diagram.js';
import { type Running, type WireSubject, comparing } from './expect-wire.js';
import type { SubscriptionWindow, Check, TestStream } from './streams.js';
import { coldOf, hotOf, observed, stayed } from './streams.js';

/** The comparison of a subject with a diagram. */
export interface WireExpectation {
  /** Expects these frames, each at its millisecond. */
  toBe(diagram: string, frames: DiagramFrames): void;
  /** Expects these frames in this order, at any time. */
  toBeInOrder(diagram: string, frames: DiagramFrames): void;
}

/** The helpers of a marble test of the wire. */
export interface WireMarbles {
  readonly time: VirtualTime;
  /** Makes a stream that plays a diagram to each subscriber. @stream call */
  cold<T = string>(diagram: string, values?: Readonly<Record<string, T>>, error?: unknown): TestStream<T>;
  /** Makes a stream that plays a diagram from now on, or from its `^`, to all current subscribers. @stream event */
  hot<T = string>(diagram: string, values?: Readonly<Record<string, T>>, error?: unknown): Observable<T>;
  /**
   * Subscribes to a stream, from `^` to `!` if these are drawn, until no timer is left; if timers never end, until one hour of
   * virtual time after the end of the diagram.
   */
  expectObservable(
    stream: Observable<unknown>,
    stay?: string,
  ): { toBe(diagram: string, values?: unknown, error?: unknown): void };
  /** Compares when subscribers of a `cold` stream subscribed and unsubscribed. */
  expectSubscriptions(subscriptions: readonly SubscriptionWindow[]): {
    toBe(...diagrams: readonly string[]): void;
  };
  /**
   * Compares a server, code that dials, or a recording with a diagram: a letter is a frame, `!` cancels the newest request
   * without a response, `|` is the client's close, `#` a lost connection. The frames of the other side are played; the subject
   * must send its own. Ids and tokens may differ; `_meta` is compared where it is drawn.
   */
  expectWire(subject: WireSubject, traits?: RecordedTraits): WireExpectation;
}

/** How long a stream without an end is observed after the end of the diagram, in virtual milliseconds. */
const afterwardsMs = 3_600_000;

/**
 * Runs a marble test in which promises, remotes and servers use virtual time too, and resolves with its return value. Diagrams
 * are those of RxJS, 1 ms per character; time 0 is the start of the test. Rejects with an error that shows the difference, for
 * frames with a {@link ReplayError}.
 *
 * @example
 * await wireMarbles(({ expectWire }) => {
 *   expectWire(server).toBe('a 9ms b|', { a: '> #1 ping', b: '< #1 result' });
 * });
 */
export async function wireMarbles<T>(
  test: (helpers: WireMarbles) => T | PromiseLike<T>,
  options: VirtualTimeOptions = {},
): Promise<T> {
  using time = virtualTime(options);
  const checks: Check[] = [];
  const running: Running[] = [];
  const result = await time.run(
    Promise.resolve(
      test({
        time,
        cold: coldOf,
        hot: hotOf,
        expectObservable(stream, stay) {
          const expected = observed(stream, stay);
          return { toBe: (...drawn) => void checks.push(expected(...drawn)) };
        },
        expectSubscriptions: (subscriptions) => ({
          toBe: (...diagrams) => void checks.push(stayed(subscriptions, diagrams)),
        }),
        expectWire: (subject, traits = {}) => ({
          toBe: (diagram, frames) =>
            void running.push(watched(comparing(subject, diagram, frames, traits, true))),
          toBeInOrder: (diagram, frames) =>
            void running.push(watched(comparing(subject, diagram, frames, traits, false))),
        }),
      }),
    ),
  );
  const all = Promise.all(running.map(({ over }) => over));
  try {
    await time.run(all);
  } catch (error) {
    for (const one of running) one.giveUp();
    await time.settle();
    const first = (await Promise.allSettled(running.map(({ over }) => Promise.race([over, undefined])))).find(
      ({ status }) => status === 'rejected',
    );
    throw first?.status === 'rejected' ? first.reason : error;
  }
  const untilMs = Math.max(time.nowMs, ...checks.map((check) => check.untilMs));
  await time.advance(untilMs + afterwardsMs - time.nowMs);
  for (const check of checks) check.look();
  return result;
}

/** A rejection is handled later: until then it must not count as unhandled. */
function watched(running: Running): Running {
  running.over.catch(() => undefined);
  return running;
}
