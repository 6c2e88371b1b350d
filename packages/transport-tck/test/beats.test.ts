import { expect, test } from 'vitest';
import { exhaustive } from '../../../vitest.exhaustive.js';
import { type ServeFixture, type VerifyOptions, verifyTransport } from '../src/index.js';
import { pause } from '../src/harness/clock.js';
import { type PipeEnd, pipeRig } from './pipe.js';

/** A pipe that delivers and closes one beat later, as a broker that is polled does. */
const beating =
  (beatMs: number): ServeFixture =>
  async (handler) => {
    const last = new Map<PipeEnd, Promise<void>>();
    const atBeat = (towards: PipeEnd, act: () => void): Promise<void> => {
      const beat = pause(beatMs);
      const acted = Promise.all([last.get(towards), beat]).then(act);
      last.set(towards, acted);
      return acted;
    };
    return pipeRig(handler, (parts) => ({
      enqueue: (end, text) => void atBeat(end, () => parts.enqueue(end, text)),
      close: (end) => atBeat(end.peer, () => void parts.close(end)),
    }));
  };

/** Runs all rules but those that count handles at the same time: each waits, and none computes. */
async function brokenAtOnce(serve: ServeFixture, options: VerifyOptions): Promise<string[]> {
  const runs: (() => Promise<void>)[] = [];
  verifyTransport({
    test: (name, run) => /^leak\/(handles|unstarted|aborted)/.test(name) || runs.push(run),
    serve,
    options: { report: () => undefined, ...options },
  });
  const settled = await Promise.allSettled(runs.map((run) => run()));
  return settled.flatMap((each) => (each.status === 'rejected' ? [(each.reason as Error).message] : []));
}

test('a wire that delivers every 25 ms holds every rule', async () => {
  expect(await brokenAtOnce(beating(25), {})).toEqual([]);
});

if (exhaustive) {
  test.each([200, 1_000])(
    'a wire that delivers every %i ms holds every rule',
    async (beatMs) => {
      const options = {
        stepTimeoutMs: 25 * beatMs,
        ruleTimeoutMs: 120 * beatMs,
        closeTimeoutMs: 100 * beatMs,
      };
      expect(await brokenAtOnce(beating(beatMs), options)).toEqual([]);
    },
    400_000,
  );
}
