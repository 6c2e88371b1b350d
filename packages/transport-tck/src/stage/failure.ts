import { TransportError } from '@rxmcp/transport';
import { assert } from './assert.js';
import type { End } from './end.js';
import type { Stage } from './stage.js';

/** The TransportError that a promise rejects with; fails on anything else. */
export async function fails(stage: Stage, promise: Promise<unknown>, what: string): Promise<TransportError> {
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
export interface Settled {
  readonly accepted: readonly number[];
  readonly notSent: readonly number[];
}

/** Every send settles: it resolves or rejects with a TransportError. */
export async function settles(stage: Stage, sends: readonly Promise<void>[], what: string): Promise<Settled> {
  const settled = await stage.within(Promise.allSettled(sends), `${what} to settle`, stage.patience.closeMs);
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
export function arrivals({ accepted, notSent }: Settled, at: End): { lost: number; denied: number } {
  const arrived = new Set(at.told('count').map(({ index }) => index));
  return {
    lost: accepted.filter((index) => !arrived.has(index)).length,
    denied: notSent.filter((index) => arrived.has(index)).length,
  };
}

/** Fails where something arrived whose send said that it was not sent. */
export function noneDenied(settled: Settled, at: End): void {
  const { denied } = arrivals(settled, at);
  assert(denied === 0, `${String(denied)} messages arrived whose sends rejected as not sent`);
}
