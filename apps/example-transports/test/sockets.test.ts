import { constants, createServer as createHttp2Server, type Http2Stream } from 'node:http2';
import type { ConnectionHandler, Transport } from '@rxmcp/transport';
import { encodeFrame } from '@rxmcp/jsonrpc';
import { type ServeFixture, verifyApplicableRules } from '@rxmcp/transport-tck';
import { describe, test, vi } from 'vitest';
import { certificate } from '../../../vitest.certificate.js';
import { generousTimeouts } from '../../../vitest.kit.js';
import { framedTcp, serveFramedTcp } from '../src/frames-over-tcp.js';
import { http2, serveHttp2 } from '../src/http2.js';
import { serveTcp, tcp } from '../src/lines-over-tcp.js';
import { relayTo } from './relay.js';

interface Served {
  readonly port: number;
  close(): Promise<void>;
}

/** Serves behind a relay, which injects and cuts where bytes are not encrypted. */
const relayed =
  (
    serve: (handler: ConnectionHandler) => Promise<Served>,
    dialled: (port: number) => Transport,
    encode?: (frame: string | Uint8Array) => Uint8Array,
  ): ServeFixture =>
  async (handler) => {
    const served = await serve(handler);
    const relay = await relayTo(served.port);
    return {
      transport: dialled(relay.port),
      async close() {
        relay.close();
        await served.close();
      },
      cut: () => relay.cut(),
      ...(encode && { injectFrame: (towards, frame) => relay.write(towards, encode(frame)) }),
    };
  };

const line = (frame: string | Uint8Array): Uint8Array =>
  Buffer.concat([Buffer.from(frame), Buffer.from('\n')]);
const framed = (frame: string | Uint8Array): Uint8Array => {
  if (typeof frame === 'string') return encodeFrame(frame);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(frame.length);
  return Buffer.concat([length, frame]);
};

describe('lines over TCP', async () => {
  await verifyApplicableRules({ test, serve: relayed(serveTcp, tcp, line), options: generousTimeouts });
});

describe('frames over TCP', async () => {
  const serve = relayed(serveFramedTcp, framedTcp, framed);
  await verifyApplicableRules({ test, serve, options: generousTimeouts });
});

describe('frames over TLS', async () => {
  const { cert, key } = certificate();
  const serve = relayed(
    (handler) => serveFramedTcp(handler, { cert, key }),
    (port) => framedTcp(port, { ca: cert, servername: 'localhost' }),
  );
  await verifyApplicableRules({ test, serve, options: generousTimeouts });
});

describe('HTTP/2', async () => {
  await verifyApplicableRules({
    test,
    async serve(handler, watch) {
      const server = createHttp2Server({ maxSessionMemory: 256 });
      let standing: Http2Stream | undefined;
      let newest: Http2Stream | undefined;
      server.on('session', (session) => {
        session.once('stream', (stream) => (standing = stream));
        session.on('stream', (stream) => (newest = stream));
      });
      const serve = relayed((given) => serveHttp2(given, server), http2);
      return {
        ...(await serve(handler, watch)),
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
