import { chaos, delay, type Transport } from '@rxmcp/transport';
import { verifyApplicableRules } from '@rxmcp/transport-tck';
import { describe, test } from 'vitest';
import { memory } from '../src/index.js';
import { exhaustive } from '../../../../vitest.exhaustive.js';
import { generousTimeouts } from '../../../../vitest.kit.js';

// The rules of a transport hold through the wrappers that only change when things arrive.
const weather: Record<string, (inner: Transport) => Transport> = {
  'chaos, seed 1': (inner) => chaos(inner, { seed: 1, maxDelayMs: 2 }),
  ...(exhaustive && {
    delay: (inner) => delay(inner, 1),
    'chaos, seed 2': (inner) => chaos(inner, { seed: 2, maxDelayMs: 2 }),
  }),
};

describe.each(Object.entries(weather))('memory through %s', async (_, wrap) => {
  await verifyApplicableRules({
    test,
    options: generousTimeouts,
    async serve(acceptor) {
      // A short queue: the kit looks for its end one message after the other.
      const link = memory({ maxQueuedMessages: 32 });
      const handle = link.serve(acceptor);
      return { transport: wrap(link), close: () => handle.close() };
    },
  });
});
