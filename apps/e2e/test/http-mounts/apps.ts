import type { AsyncLocalStorage } from 'node:async_hooks';
import { createServer } from 'node:http';
import { fetchHandler } from '@rxmcp/http/fetch';
import { httpHandler, type NodeRequest } from '@rxmcp/http/node';
import type { ConnectionHandler } from '@rxmcp/transport';
import type { CallerIdentity } from '@rxmcp/transport/guard';
import express from 'express';
import { fastify, type FastifyRequest } from 'fastify';
import { Hono } from 'hono';
import { listening, listeningByHono, type Mounted } from './mounts.js';

/** Finds out who sends a request, as the middleware of an application does. */
export type Identify = (header: (name: string) => string | undefined) => CallerIdentity | undefined;

/** An application with its own middleware for callers and for the context of a request. */
export interface App {
  readonly name: string;
  start(server: ConnectionHandler, identify: Identify, storage: AsyncLocalStorage<string>): Promise<Mounted>;
}

const refused = 'this application does not know you';
// `authenticate` must not be called where the application passes the caller.
const options = { authenticate: (): { status: 403 } => ({ status: 403 }), sessions: true };

export const apps: readonly App[] = [
  { name: 'node:http', start: inNode },
  { name: 'Express', start: (...given) => inExpress(false, ...given) },
  { name: 'Express with parsed bodies', start: (...given) => inExpress(true, ...given) },
  { name: 'Fastify', start: (...given) => inFastify(false, ...given) },
  { name: 'Fastify with parsed bodies', start: (...given) => inFastify(true, ...given) },
  { name: 'Hono', start: inHono },
];

const contextOf = (header: string | string[] | undefined): string => String(header ?? 'none');

function inNode(...[server, identify, storage]: Parameters<App['start']>): Promise<Mounted> {
  const mcp = httpHandler(server, options);
  const app = createServer((request, response) => {
    const caller = identify((name) => request.headers[name] as string | undefined);
    if (caller === undefined) response.writeHead(401).end(refused);
    else storage.run(contextOf(request.headers['x-context']), () => mcp(request, response, { caller }));
  });
  return listening(app, () => mcp.close());
}

function inExpress(
  parsed: boolean,
  ...[server, identify, storage]: Parameters<App['start']>
): Promise<Mounted> {
  const mcp = httpHandler(server, options);
  const app = express();
  app.use((request, response, next) => {
    const caller = identify((name) => request.get(name));
    if (caller === undefined) {
      response.status(401).send(refused);
      return;
    }
    response.locals.caller = caller;
    storage.run(contextOf(request.headers['x-context']), next);
  });
  if (parsed) app.use(express.json());
  app.all('/mcp', (request, response) => {
    mcp(request, response, { caller: response.locals.caller as CallerIdentity });
  });
  return listening(createServer(app), () => mcp.close());
}

async function inFastify(
  parsed: boolean,
  ...[server, identify, storage]: Parameters<App['start']>
): Promise<Mounted> {
  const mcp = httpHandler(server, options);
  const app = fastify();
  const callers = new WeakMap<FastifyRequest, CallerIdentity>();
  if (!parsed) app.removeAllContentTypeParsers();
  if (!parsed) app.addContentTypeParser('*', (_request, _body, done) => done(null));
  app.addHook('onRequest', (request, reply, done) => {
    const caller = identify((name) => request.headers[name] as string | undefined);
    if (caller === undefined) return void reply.code(401).send(refused);
    callers.set(request, caller);
    done();
  });
  app.addHook('preHandler', (request, _reply, done) =>
    storage.run(contextOf(request.headers['x-context']), done),
  );
  app.all('/mcp', (request, reply) => {
    reply.hijack();
    const raw: NodeRequest = request.raw;
    if (parsed) raw.body = request.body;
    mcp(raw, reply.raw, { caller: callers.get(request) });
  });
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  return {
    url: `${origin}/mcp`,
    async close() {
      await mcp.close();
      app.server.closeAllConnections();
      await app.close();
    },
  };
}

async function inHono(...[server, identify, storage]: Parameters<App['start']>): Promise<Mounted> {
  const mcp = fetchHandler(server, options);
  const app = new Hono<{ Variables: { caller: CallerIdentity } }>();
  app.use(async (context, next) => {
    const caller = identify((name) => context.req.header(name));
    if (caller === undefined) return context.text(refused, 401);
    context.set('caller', caller);
    return storage.run(contextOf(context.req.header('x-context')), next);
  });
  app.all('/mcp', (context) => mcp(context.req.raw, { caller: context.get('caller') }));
  return listeningByHono(app.fetch, () => mcp.close());
}
