import { afterAll, expect, test, vi } from 'vitest';
import { exhaustive } from '../../../vitest.exhaustive.js';
import type { ServeFixture, VerifyOptions } from '../src/index.js';
import type { PipeEnd } from './pipe.js';

// The kit takes the clock when it is loaded: here a virtual one, so that no rule depends on how busy the machine is.
vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
vi.resetModules();
afterAll(() => {
  vi.useRealTimers();
  vi.resetModules();
});
const { verifyTransport } = await import('../src/index.js');
const { pause } = await import('../src/base/clock.js');
const { pipeRig } = await import('./pipe.js');

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

/** Only an exhaustive run has the rules that send a flood. */
const quick = exhaustive ? /./ : /^(?!pressure)/;

/** Runs all rules but those that count handles at the same time: each waits, and none computes. */
async function brokenAtOnce(
  serve: ServeFixture,
  options: VerifyOptions,
  { only = quick, advance = () => vi.advanceTimersToNextTimerAsync() as Promise<unknown> } = {},
): Promise<string[]> {
  const runs: (() => Promise<void>)[] = [];
  verifyTransport({
    test: (name, run) =>
      /^leak\/(handles|unstarted|aborted|server)/.test(name) || !only.test(name) || runs.push(run),
    serve,
    options: { report: () => undefined, ...options },
  });
  let isSettled = false;
  const settled = Promise.allSettled(runs.map((run) => run())).finally(() => (isSettled = true));
  while (!isSettled) {
    await new Promise(setImmediate);
    await advance();
  }
  return (await settled).flatMap((each) =>
    each.status === 'rejected' ? [(each.reason as Error).message] : [],
  );
}

const slower: readonly [number, VerifyOptions][] = [
  [200, { stepTimeoutMs: 5_000, ruleTimeoutMs: 60_000, closeTimeoutMs: 20_000 }],
  [1_000, { stepTimeoutMs: 20_000, ruleTimeoutMs: 300_000, closeTimeoutMs: 60_000 }],
];

test.each<[number, VerifyOptions]>([[25, {}], ...(exhaustive ? slower : [])])(
  'a wire that delivers every %i ms holds every rule',
  async (beatMs, options) => {
    expect(await brokenAtOnce(beating(beatMs), options)).toEqual([]);
  },
  400_000,
);

test('sends that keep settling are waited for, however long they take in all', async () => {
  const serve: ServeFixture = async (handler) => {
    let last = Promise.resolve();
    return pipeRig(handler, (parts) => ({
      async send(end, ...sent) {
        await Promise.all([parts.send(end, ...sent), (last = last.then(() => pause(5)))]);
      },
    }));
  };
  const options = { closeTimeoutMs: 1_000, ruleTimeoutMs: 60_000 };
  const advance = (): Promise<unknown> => vi.advanceTimersByTimeAsync(20);
  expect(await brokenAtOnce(serve, options, { only: /^pressure\/burst/, advance })).toEqual([]);
});
