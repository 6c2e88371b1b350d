import { chaos, type ServeHandle, type Transport } from '@rxmcp/transport';
import { type ServeFixture, verifyApplicableRules } from '@rxmcp/transport-tck';
import { describe, test } from 'vitest';
import { messagePort, serveMessagePort } from '../src/index.js';
import { exhaustive } from '../../../../vitest.exhaustive.js';
import { generousTimeouts } from '../../../../vitest.kit.js';

/** One channel per dial, both ends of it in this process. */
const channels =
  (wrap: (transport: Transport) => Transport = (transport) => transport): ServeFixture =>
  async (acceptor) => {
    const handles: ServeHandle[] = [];
    let stopped = false;
    let newest = new MessageChannel();
    return {
      transport: wrap(
        messagePort(() => {
          if (stopped) throw new Error('The ports are closed.');
          newest = new MessageChannel();
          handles.push(serveMessagePort(acceptor, newest.port2));
          return newest.port1;
        }),
      ),
      async close() {
        stopped = true;
        for (const handle of handles) await handle.close();
      },
      notInjectable: ['bytes'],
      injectFrame(towards, frame) {
        if (typeof frame !== 'string') return false;
        (towards === 'served' ? newest.port1 : newest.port2).postMessage(frame);
      },
      cut: () => newest.port1.close(),
    };
  };

// An exhaustive run does not repeat what `npm test` has.
if (!exhaustive)
  describe('a port', async () => {
    await verifyApplicableRules({ test, serve: channels(), options: generousTimeouts });
  });

// The tests of memory have chaos too.
describe.each(exhaustive ? [1, 2] : [])('a port through chaos, seed %d', async (seed) => {
  await verifyApplicableRules({
    test,
    serve: channels((port) => chaos(port, { seed, maxDelayMs: 2 })),
    options: generousTimeouts,
  });
});
