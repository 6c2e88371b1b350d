import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Duplex, Transform } from 'node:stream';
import {
  type ConnectionHandler,
  chaos,
  ConnectionSet,
  type Transport,
  TransportError,
} from '@rxmcp/transport';
import { type Fixture, verifyApplicableRules } from '@rxmcp/transport-tck';
import { relayTo } from '@rxmcp/transport-tck/node';
import { afterAll, describe, test } from 'vitest';
import { duplexConnection, serveSocket, socket } from '../../src/net.js';
import { aboutConnections } from '../../../../../vitest.connections.js';
import { exhaustive } from '../../../../../vitest.exhaustive.js';
import { generousTimeouts } from '../../../../../vitest.kit.js';

/** Small, so that the rules on the size of messages carry little. */
const maxMessageBytes = 1024 * 1024;

const newline = Buffer.from('\n');
const untouched = (transport: Transport): Transport => transport;

/** Both sides with a relay between them. */
async function relayed(
  acceptor: ConnectionHandler,
  wrap: (transport: Transport) => Transport,
): Promise<Fixture> {
  const served = await serveSocket(acceptor, { port: 0, maxMessageBytes });
  const relay = await relayTo(
    { port: served.port ?? 0 },
    { frame: (line) => Buffer.concat([line, newline]) },
  );
  return {
    transport: wrap(socket({ port: relay.port, maxMessageBytes })),
    relay,
    async close() {
      await served.close();
      await relay.close();
    },
  };
}

// An exhaustive run does not repeat what `npm test` has.
if (!exhaustive)
  describe('TCP', async () => {
    await verifyApplicableRules({
      test,
      serve: (acceptor) => relayed(acceptor, untouched),
      options: generousTimeouts,
    });
  });

// The tests of memory have chaos too.
describe.each(exhaustive ? [1, 2] : [])('TCP through chaos, seed %d', async (seed) => {
  await verifyApplicableRules({
    test,
    serve: (acceptor) => relayed(acceptor, (inner) => chaos(inner, { seed, maxDelayMs: 2 })),
    options: generousTimeouts,
  });
});

describe('a Unix socket', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rxmcp-socket-'));
  afterAll(() => rm(folder, { recursive: true }));

  await verifyApplicableRules({
    test: aboutConnections(test),
    options: generousTimeouts,
    async serve(acceptor) {
      const path = join(folder, 'served');
      const served = await serveSocket(acceptor, { path, maxMessageBytes });
      return { transport: socket({ path, maxMessageBytes }), close: () => served.close() };
    },
  });
});

// The same connection as over TCP.
describe('any stream that goes both ways', async () => {
  await verifyApplicableRules({
    test: aboutConnections(test),
    options: generousTimeouts,
    async serve(acceptor) {
      let stopped = false;
      const serving = new ConnectionSet(acceptor, () => (stopped = true));
      return {
        transport: {
          name: 'streams',
          async dial({ signal } = {}) {
            await Promise.resolve();
            if (signal?.aborted === true) throw new TransportError('DIAL_ABORTED', 'the dial was aborted');
            if (stopped) throw new TransportError('DIAL_FAILED', 'The streams are closed.');
            const [up, down] = [pipe(), pipe()];
            const options = { maxMessageBytes };
            const far = Duplex.from({ readable: up, writable: down });
            serving.accept(duplexConnection(far, { ...options, isServer: true }));
            return duplexConnection(Duplex.from({ readable: down, writable: up }), {
              ...options,
              redialable: true,
            });
          },
        },
        close: () => serving.close(),
      };
    },
  });
});

/** A stream that hands on in a later turn, as whatever lies between two processes does. */
function pipe(): Transform {
  return new Transform({ transform: (chunk, _encoding, done) => void setImmediate(done, null, chunk) });
}
