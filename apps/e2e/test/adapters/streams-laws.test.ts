import { type Connection, fromStreams, type Transport } from '@rxmcp/transport';
import { verifyApplicableRules } from '@rxmcp/transport-tck';
import { memory } from 'rxmcp/memory';
import { describe, test } from 'vitest';
import { generousTimeouts } from '../../../../vitest.kit.js';

/** The streams of a connection: what it delivers, and what it sends. */
function streamsOf(connection: Connection): Connection {
  return fromStreams(
    {
      messages$: {
        subscribe(observer) {
          connection.start({
            received: (message) => observer.next(message),
            laneClosed: () => undefined,
            fault: () => undefined,
            closed: (error) => (error === undefined ? observer.complete() : observer.error(error)),
          });
          return { unsubscribe: () => undefined };
        },
      },
      send: (message) => connection.send(message as never),
      close: () => connection.close(),
    },
    { redialable: connection.traits.redialable },
  );
}

describe('an Observable of messages and a function that sends, on both sides', async () => {
  await verifyApplicableRules({
    test,
    options: generousTimeouts,
    async serve(acceptor) {
      const link = memory();
      const handle = link.serve({ accept: (connection) => acceptor.accept(streamsOf(connection)) });
      const transport: Transport = {
        name: 'streams',
        dial: async (options) => streamsOf(await link.dial(options)),
      };
      return { transport, close: () => handle.close() };
    },
  });
});
