import { TransportError } from '@rxmcp/transport';
import { assert } from '../stage/assert.js';
import type { ConnectionProbe } from './connection-probe.js';
import type { Harness } from './harness.js';

/** The TransportError that a promise rejects with; fails on anything else. */
export async function expectTransportError(
  stage: Harness,
  promise: Promise<unknown>,
  what: string,
): Promise<TransportError> {
  const outcome = await stage.within(
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

/** Sends by their place in the list: those that were accepted, and those whose rejection says that they were not sent. */
export interface SettledSends {
  readonly accepted: readonly number[];
  readonly notSent: readonly number[];
}

/** Every send settles: it resolves or rejects with a TransportError. */
export async function settleSends(
  stage: Harness,
  sends: readonly Promise<void>[],
  what: string,
): Promise<SettledSends> {
  const settled = await stage.within(
    Promise.allSettled(sends),
    `${what} to settle`,
    stage.timeouts.closeTimeoutMs,
  );
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

/** How many of the accepted sends never arrived, and how many arrived of those that are said to be not sent: 'count', by index. */
export function arrivals(
  { accepted, notSent }: SettledSends,
  at: ConnectionProbe,
): { lost: number; denied: number } {
  const arrived = new Set(at.told('count').map(({ index }) => index));
  return {
    lost: accepted.filter((index) => !arrived.has(index)).length,
    denied: notSent.filter((index) => arrived.has(index)).length,
  };
}

/** Fails where something arrived whose send said that it was not sent. */
export function expectAllAccepted(settled: SettledSends, at: ConnectionProbe): void {
  const { denied } = arrivals(settled, at);
  assert(denied === 0, `${String(denied)} messages arrived whose sends rejected as not sent`);
}
