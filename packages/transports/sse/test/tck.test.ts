import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ConnectionHandler, chaos, type Transport } from '@rxmcp/transport';
import { type Fixture, verifyApplicableRules } from '@rxmcp/transport-tck';
import { relayTo } from '@rxmcp/transport-tck/node';
import { describe, test } from 'vitest';
import { sse } from '../src/index.js';
import { sseHandlers } from '../src/node.js';
import { exhaustive } from '../../../../vitest.exhaustive.js';
import { generousTimeouts } from '../../../../vitest.kit.js';

describe('HTTP+SSE', async () => {
  await verifyApplicableRules({
    // A burst takes a quarter of the time of all rules: each message is a request. Other rules send many at once too.
    // An exhaustive run has it alone.
    test: (name, run) => exhaustive === name.startsWith('pressure/burst') && test(name, run),
    serve: (acceptor) => served(acceptor),
    options: generousTimeouts,
  });
});

if (exhaustive) {
  describe('HTTP+SSE in bad weather', async () => {
    await verifyApplicableRules({
      test,
      serve: (acceptor) => served(acceptor, (transport) => chaos(transport, { seed: 7 })),
      options: generousTimeouts,
    });
  });
}

/** A served transport whose newest stream can be written to and cut, and whose posts can be joined. */
async function served(
  acceptor: ConnectionHandler,
  wrapped: (transport: Transport) => Transport = (transport) => transport,
): Promise<Fixture> {
  const handlers = sseHandlers(acceptor);
  let stream: ServerResponse | undefined;
  let endpoint = '';
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    if (request.method === 'GET') {
      stream = response;
      const write = response.write.bind(response) as (text: string) => boolean;
      response.write = (text: string) => {
        endpoint = /^event: endpoint\ndata: (.*)\n/.exec(text)?.[1] ?? endpoint;
        return write(text);
      };
    }
    handlers.handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const relay = await relayTo({ port: (server.address() as AddressInfo).port });
  const origin = `http://127.0.0.1:${String(relay.port)}`;
  // What is put in the way goes before what is sent after it, though it takes another socket.
  let inTheWay: Promise<unknown> = Promise.resolve();
  const transport = sse(`${origin}/sse`, {
    fetch: async (url, init) => {
      await inTheWay;
      return fetch(url, init);
    },
  });
  return {
    transport: wrapped(transport),
    relay,
    async close() {
      await handlers.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await relay.close();
    },
    async injectFrame(towards, frame) {
      if (towards === 'dialled') stream?.write(`event: message\ndata: ${String(frame)}\n\n`);
      else {
        const headers = { 'content-type': 'application/json' };
        inTheWay = fetch(origin + endpoint, { method: 'POST', headers, body: frame as BodyInit });
        await inTheWay;
      }
    },
    cut: () => void stream?.socket?.resetAndDestroy(),
  };
}
