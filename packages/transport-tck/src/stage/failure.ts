import { TransportError } from '@rxmcp/transport';
import type { Stage } from './stage.js';
import { assert } from './verdict.js';

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

/** Every send settles: it resolves or rejects with a TransportError. Gives how many resolved. */
export async function settles(stage: Stage, sends: readonly Promise<void>[], what: string): Promise<number> {
  const watched = sends.map((send) =>
    send.then(
      () => 'resolved',
      (error: unknown) => (TransportError.is(error) ? 'typed' : `no TransportError: ${String(error)}`),
    ),
  );
  const verdicts = await stage.within(Promise.all(watched), `${what} to settle`, stage.patience.closeMs);
  const wrong = verdicts.find((verdict) => verdict !== 'resolved' && verdict !== 'typed');
  assert(wrong === undefined, `${what} rejected with ${String(wrong)}`);
  return verdicts.filter((verdict) => verdict === 'resolved').length;
}
