import { once } from 'node:events';
import { chaos, type Connection, type Transport, TransportError } from '@rxmcp/transport';
import { verifyApplicableRules, type ServeFixture } from '@rxmcp/transport-tck';
import { relayTo } from '@rxmcp/transport-tck/node';
import { describe, test } from 'vitest';
import { WebSocket } from 'ws';
import { webSocket, webSocketConnection } from '../src/index.js';
import { serveWebSocket } from '../src/node.js';
import { frame } from './frames.js';
import { aboutConnections } from '../../../../vitest.connections.js';
import { exhaustive } from '../../../../vitest.exhaustive.js';
import { generousTimeouts } from '../../../../vitest.kit.js';

/** Serves through a relay, on ports of their own; what dials there is given by the address. */
function rig(transportTo: (url: string) => Transport): ServeFixture {
  return async (acceptor) => {
    const serving = await serveWebSocket(acceptor);
    const url = new URL(serving.url);
    const relay = await relayTo(
      { port: Number(url.port) },
      { frame: (text, towards) => frame(text, { masked: towards === 'served' }) },
    );
    url.port = String(relay.port);
    return {
      transport: transportTo(url.href),
      relay,
      async close() {
        await serving.close();
        await relay.close();
      },
      // Bad UTF-8 ends a WebSocket with 1007, so bytes that are no text are no frame here.
      notInjectable: ['bytes'],
    };
  };
}

// An exhaustive run does not repeat what `npm test` has.
if (!exhaustive)
  describe('both sides in Node', async () => {
    await verifyApplicableRules({ test, serve: rig((url) => webSocket(url)), options: generousTimeouts });
  });

// The tests of memory have chaos too.
describe.each(exhaustive ? [1, 2] : [])('through chaos, seed %i', async (seed) => {
  await verifyApplicableRules({
    test,
    serve: rig((url) => chaos(webSocket(url), { seed, maxDelayMs: 2 })),
    options: generousTimeouts,
  });
});

// The same connection, dialled by other code.
describe('a socket of any origin', async () => {
  await verifyApplicableRules({
    test: aboutConnections(test),
    options: generousTimeouts,
    serve: rig((url) => ({
      name: 'socket',
      async dial({ signal } = {}): Promise<Connection> {
        const isAborted = (): boolean => signal?.aborted === true;
        if (isAborted()) throw new TransportError('DIAL_ABORTED', 'the dial was aborted');
        // Its types lack the option. By default it keeps a socket whose other side is silent for 30 s.
        const socket = new WebSocket(url, 'mcp', { perMessageDeflate: false, ...{ closeTimeout: 1_000 } });
        try {
          await once(socket, 'open', signal && { signal });
        } catch (cause) {
          socket.on('error', () => undefined).terminate();
          throw TransportError.from(cause, isAborted() ? 'DIAL_ABORTED' : 'DIAL_FAILED');
        }
        return webSocketConnection(socket, { redialable: true });
      },
    })),
  });
});
