import { chaos } from '@rxmcp/transport';
import { fromSdkTransport, serveSdkTransport, toSdkTransport } from '@rxmcp/transport/sdk';
import { type ServeFixture, verifyApplicableRules } from '@rxmcp/transport-tck';
import { memory } from 'rxmcp/memory';
import { describe, test } from 'vitest';
import { exhaustive } from '../../../../vitest.exhaustive.js';
import { generousTimeouts } from '../../../../vitest.kit.js';

// Both adapters, one in the other, lose nothing that the transport inside promises.
const there: ServeFixture = async (acceptor) => {
  const link = memory();
  const handle = link.serve(acceptor);
  return { transport: fromSdkTransport(() => toSdkTransport(link)), close: () => handle.close() };
};

describe('from the interface of the guides and to it', async () => {
  await verifyApplicableRules({ test, options: generousTimeouts, serve: there });
});

describe.runIf(exhaustive)('the same through chaos', async () => {
  if (!exhaustive) return;
  await verifyApplicableRules({
    test,
    options: generousTimeouts,
    async serve(...served) {
      const { transport, close } = await there(...served);
      return { transport: chaos(transport, { seed: 1, maxDelayMs: 2 }), close };
    },
  });
});

// The other way round: each connection of the serving side goes through both.
describe('a served connection through both', async () => {
  await verifyApplicableRules({
    test,
    options: generousTimeouts,
    async serve(acceptor) {
      const link = memory();
      const handle = link.serve({
        accept(connection) {
          let over = (): void => undefined;
          const closed = new Promise<void>((resolve) => (over = resolve));
          const { traits } = connection;
          const handle = serveSdkTransport(
            {
              accept(inner) {
                const served = acceptor.accept(inner);
                served.closed.then(over, over);
                return served;
              },
            },
            toSdkTransport(connection),
            { traits: { maxMessageBytes: traits.maxMessageBytes } },
          );
          return { drain: (options) => handle.drain(options), closed };
        },
      });
      return { transport: link, close: () => handle.close() };
    },
  });
});
