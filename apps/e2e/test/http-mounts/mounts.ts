import { createServer, type Server as NodeServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve as serveHono } from '@hono/node-server';
import { fetchHandler } from '@rxmcp/http/fetch';
import { httpHandler, serveHttp, type HttpHandlerOptions, type NodeRequest } from '@rxmcp/http/node';
import type { ConnectionHandler } from '@rxmcp/transport';
import express from 'express';
import { fastify } from 'fastify';
import { Hono } from 'hono';

/** Something that is served under a URL. */
export interface Mounted {
  readonly url: string;
  close(): Promise<void>;
}

/** One way of mounting an acceptor in another web server. */
export interface Mount {
  readonly name: string;
  mount(acceptor: ConnectionHandler, options?: HttpHandlerOptions): Promise<Mounted>;
}

/** Every framework, once as it is and once with its own reading of bodies in front. */
export const mounts: readonly Mount[] = [
  { name: 'serveHttp', mount: (acceptor, options) => serveHttp(acceptor, options) },
  {
    name: 'node:http',
    mount: async (acceptor, options) => {
      const handler = httpHandler(acceptor, options);
      return listening(createServer(handler), () => handler.close());
    },
  },
  { name: 'Express', mount: (acceptor, options) => inExpress(acceptor, options, false) },
  { name: 'Express with parsed bodies', mount: (acceptor, options) => inExpress(acceptor, options, true) },
  { name: 'Fastify', mount: (acceptor, options) => inFastify(acceptor, options, false) },
  { name: 'Fastify with parsed bodies', mount: (acceptor, options) => inFastify(acceptor, options, true) },
  { name: 'Hono', mount: (acceptor, options) => inHono(acceptor, options) },
];

function inExpress(
  acceptor: ConnectionHandler,
  options: HttpHandlerOptions | undefined,
  parsed: boolean,
): Promise<Mounted> {
  const handler = httpHandler(acceptor, options);
  const app = express();
  if (parsed) app.use(express.json());
  app.all('/mcp', handler);
  return listening(createServer(app), () => handler.close());
}

async function inFastify(
  acceptor: ConnectionHandler,
  options: HttpHandlerOptions | undefined,
  parsed: boolean,
): Promise<Mounted> {
  const handler = httpHandler(acceptor, options);
  const app = fastify();
  // Without this Fastify reads bodies; what it read goes along.
  if (!parsed) app.removeAllContentTypeParsers();
  if (!parsed) app.addContentTypeParser('*', (_request, _body, done) => done(null));
  app.all('/mcp', (request, reply) => {
    reply.hijack();
    const raw: NodeRequest = request.raw;
    if (parsed) raw.body = request.body;
    handler(raw, reply.raw);
  });
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  return {
    url: `${origin}/mcp`,
    async close() {
      await handler.close();
      app.server.closeAllConnections();
      await app.close();
    },
  };
}

async function inHono(
  acceptor: ConnectionHandler,
  options: HttpHandlerOptions | undefined,
): Promise<Mounted> {
  const handler = fetchHandler(acceptor, options);
  const app = new Hono();
  app.all('/mcp', (context) => handler(context.req.raw));
  return listeningByHono(app.fetch, () => handler.close());
}

/** Serves what Hono answers with, until it is closed; `end` ends what is mounted. */
export async function listeningByHono(
  fetch: (request: Request) => Response | Promise<Response>,
  end: () => Promise<void>,
): Promise<Mounted> {
  let server: NodeServer | undefined;
  const address = await new Promise<AddressInfo>((resolve) => {
    // The global Response stays the platform's: other test files share this process.
    const listen = { port: 0, hostname: '127.0.0.1', overrideGlobalObjects: false };
    server = serveHono({ fetch, ...listen }, resolve) as NodeServer;
  });
  return {
    url: `http://127.0.0.1:${String(address.port)}/mcp`,
    async close() {
      await end();
      server?.closeAllConnections();
      await new Promise((resolve) => server?.close(resolve));
    },
  };
}

/** Starts a server on a free port; `end` ends what is mounted. */
export async function listening(server: NodeServer, end: () => Promise<void>): Promise<Mounted> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/mcp`,
    async close() {
      await end();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
