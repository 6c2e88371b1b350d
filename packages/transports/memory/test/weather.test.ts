import { chaos, delay, type Transport } from '@rxmcp/transport';
import { verifyTransport } from '@rxmcp/transport-tck';
import { describe, test } from 'vitest';
import { memory } from '../src/index.js';

// The laws of a transport hold through the wrappers that only change when things arrive.
const weather: Record<string, (inner: Transport) => Transport> = {
  delay: (inner) => delay(inner, 1),
  'chaos, seed 1': (inner) => chaos(inner, { seed: 1, maxDelayMs: 2 }),
  'chaos, seed 2': (inner) => chaos(inner, { seed: 2, maxDelayMs: 2 }),
};

/** This law gives the first answer 400 turns of the event loop, which pass before a delayed second request has arrived. */
const needsNoDelay = 'lanes/independent';

const timely: typeof test = ((name: string, run: () => Promise<void>) => {
  if (!name.startsWith(needsNoDelay)) return test(name, run);
  console.log(`not run through a delay: ${needsNoDelay} counts turns of the event loop`);
  return test.skip(name, run);
}) as typeof test;

describe.each(Object.entries(weather))('memory through %s', (_, wrap) => {
  verifyTransport({
    test: timely,
    async serve(acceptor) {
      // A short queue: the kit looks for its end one message after the other.
      const link = memory({ maxQueued: 32 });
      const handle = link.serve(acceptor);
      return { transport: wrap(link), close: () => handle.close() };
    },
  });
});
