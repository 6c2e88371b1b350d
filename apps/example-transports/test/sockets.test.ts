import {
  constants,
  createServer as createHttp2Server,
  type Http2Stream,
  type ServerHttp2Session,
} from 'node:http2';
import type { ConnectionHandler, ConnectionSet, Transport } from '@rxmcp/transport';
import { type ServeFixture, verifyApplicableRules } from '@rxmcp/transport-tck';
import { relayTo } from '@rxmcp/transport-tck/node';
import { describe, test, vi } from 'vitest';
import { certificate } from '../../../vitest.certificate.js';
import { aboutConnections } from '../../../vitest.connections.js';
import { exhaustive } from '../../../vitest.exhaustive.js';
import { generousTimeouts } from '../../../vitest.kit.js';
import { framedTcp, serveFramedTcp } from '../src/frames-over-tcp.js';
import { http2, serveHttp2 } from '../src/http2.js';
import { serveTcp, tcp } from '../src/lines-over-tcp.js';

/** Serves behind a relay of the kit, which disturbs and cuts what passes, and injects where it can frame. */
const relayed =
  (
    serve: (handler: ConnectionHandler) => Promise<ConnectionSet & { port: number }>,
    dialled: (port: number) => Transport,
    frame?: (message: Uint8Array) => Uint8Array,
  ): ServeFixture =>
  async (handler) => {
    const served = await serve(handler);
    const relay = await relayTo({ port: served.port }, frame && { frame });
    return {
      transport: dialled(relay.port),
      relay,
      async close() {
        await served.close();
        await relay.close();
      },
    };
  };

/** Also what a framing of its own can break, and where it stops reading. */
const about = aboutConnections(
  test,
  /^(?:limits|garbage|served|lanes?)\/|^pressure\/(?:reads-no-further|unread-lane)/,
);

const line = (message: Uint8Array | string): Uint8Array =>
  Buffer.concat([Buffer.from(message), Buffer.from('\n')]);
const framed = (message: Uint8Array): Uint8Array => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(message.length);
  return Buffer.concat([length, message]);
};

// The tests of stdio verify such a connection too.
describe.runIf(exhaustive)('lines over TCP', async () => {
  if (!exhaustive) return;
  await verifyApplicableRules({ test, serve: relayed(serveTcp, tcp, line), options: generousTimeouts });
});

describe('frames over TCP', async () => {
  const served = relayed(serveFramedTcp, framedTcp, framed);
  const serve: ServeFixture = async (...given) => ({ ...(await served(...given)), pausesReading: true });
  await verifyApplicableRules({ test: about, serve, options: generousTimeouts });
});

// The same connection as over TCP.
describe.runIf(exhaustive)('frames over TLS', async () => {
  if (!exhaustive) return;
  const { cert, key } = certificate();
  const behindRelay = relayed(
    (handler) => serveFramedTcp(handler, { cert, key }),
    (port) => framedTcp(port, { ca: cert, servername: 'localhost' }),
  );
  await verifyApplicableRules({
    // Noise may be the head of a record, and TLS waits for the rest of it.
    test: (name, run) => name.startsWith('relay/noise') || test(name, run),
    serve: behindRelay,
    options: generousTimeouts,
  });
});

describe('HTTP/2', async () => {
  await verifyApplicableRules({
    test: about,
    async serve(handler, watch) {
      // Few streams at once, so that one that stays open after its response is missed soon.
      const server = createHttp2Server({ maxSessionMemory: 256, settings: { maxConcurrentStreams: 64 } });
      let session: ServerHttp2Session | undefined;
      let standing: Http2Stream | undefined;
      let newest: Http2Stream | undefined;
      server.on('session', (opened) => {
        session = opened;
        opened.once('stream', (stream) => (standing = stream));
        opened.on('stream', (stream) => (newest = stream));
      });
      const serve = relayed((given) => serveHttp2(given, server), http2);
      const served = await serve(handler, watch);
      return {
        ...served,
        cut: () => served.relay?.cut(),
        otherCuts: {
          'a GOAWAY with an error': () => session?.goaway(constants.NGHTTP2_INTERNAL_ERROR),
          'a standing stream that is reset': () => standing?.close(constants.NGHTTP2_INTERNAL_ERROR),
          'a standing stream that is cancelled': () => standing?.close(constants.NGHTTP2_CANCEL),
        },
        injectFrame(towards, frame) {
          // The stream of the server: what it emits is what has arrived there.
          if (towards === 'served') standing?.emit('data', line(frame));
          else standing?.write(line(frame));
        },
        async cutLane() {
          // The newest request may still be on its way.
          await vi.waitUntil(() => newest !== standing && newest?.closed === false, { interval: 1 });
          newest?.close(constants.NGHTTP2_INTERNAL_ERROR);
        },
      };
    },
    options: generousTimeouts,
  });
});
