import { TransportError } from '@rxmcp/transport';
import { assert, equal } from '../base/assert.js';
import { quiet } from '../base/clock.js';
import { closedOn, type ConnectionProbe } from './connection-probe.js';
import type { Harness } from './harness.js';

/** Resolves with the TransportError with which a promise rejects; fails on anything else. */
export async function expectTransportError(
  harness: Harness,
  promise: Promise<unknown>,
  what: string,
): Promise<TransportError> {
  const outcome = await harness.within(
    promise.then(
      () => undefined,
      (error: unknown) => ({ error }),
    ),
    `${what} to settle`,
  );
  assert(outcome !== undefined, `${what} did not reject`);
  assert(
    TransportError.is(outcome.error),
    `${what} rejected with no TransportError: ${String(outcome.error)}`,
  );
  return outcome.error;
}

/** Settled sends, by their index: those that were accepted, and those that rejected with the outcome `not-sent`. */
export interface SettledSends {
  readonly accepted: readonly number[];
  readonly notSent: readonly number[];
}

/** Fails unless every send resolves, or rejects with a TransportError. The time-out restarts each time that one settles. */
export async function settleSends(
  harness: Harness,
  sends: readonly Promise<void>[],
  what: string,
): Promise<SettledSends> {
  let count = 0;
  const done = (): unknown => (count += 1);
  for (const send of sends) send.then(done, done);
  await harness.untilCount(() => count, sends.length, `${what} to settle`, harness.timeouts.closeTimeoutMs);
  const settled = await Promise.allSettled(sends);
  const accepted: number[] = [];
  const notSent: number[] = [];
  for (const [index, fate] of settled.entries()) {
    if (fate.status === 'fulfilled') accepted.push(index);
    else {
      const error: unknown = fate.reason;
      assert(TransportError.is(error), `${what} rejected with no TransportError: ${String(error)}`);
      if (error.outcome === 'not-sent') notSent.push(index);
    }
  }
  return { accepted, notSent };
}

/** Counts the accepted messages that never arrived, and the not-sent messages that did: notifications `count`, by index. */
export function arrivals(
  { accepted, notSent }: SettledSends,
  at: ConnectionProbe,
): { lost: number; denied: number } {
  const arrived = new Set(at.notifications('count').map(({ index }) => index));
  return {
    lost: accepted.filter((index) => !arrived.has(index)).length,
    denied: notSent.filter((index) => arrived.has(index)).length,
  };
}

/** Fails where a message arrived whose send rejected as not-sent. */
export function expectAllAccepted(settled: SettledSends, at: ConnectionProbe): void {
  const { denied } = arrivals(settled, at);
  assert(denied === 0, `${String(denied)} messages arrived whose sends rejected as not sent`);
}

/** Fails where an accepted message has not arrived, or one whose send rejected as not-sent has. */
export function expectAllArrived(settled: SettledSends, at: ConnectionProbe): void {
  const { lost } = arrivals(settled, at);
  const accepted = String(settled.accepted.length);
  assert(lost === 0, `${String(lost)} messages never arrived of the ${accepted} accepted ones`);
  expectAllAccepted(settled, at);
}

/** Fails unless `closed` was called once on each side, and nothing was called after it. */
export async function endedOnce(harness: Harness, ...ends: readonly ConnectionProbe[]): Promise<void> {
  for (const end of ends) {
    await harness.until(() => end.closes.length > 0, closedOn(end), harness.timeouts.closeTimeoutMs);
  }
  await quiet();
  for (const end of ends) {
    equal(end.closes.length, 1, `calls of ${closedOn(end)}`);
    equal(end.late, [], `calls after ${closedOn(end)}`);
  }
}
