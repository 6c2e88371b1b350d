import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type HttpBindings, serve } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { sseFetchHandler } from '@rxmcp/sse/fetch';
import { sseHandlers } from '@rxmcp/sse/node';
import express from 'express';
import { fastify } from 'fastify';
import { Hono } from 'hono';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { pond, type Pond, say, visitor } from './pond.js';

/** A user's app, with our two routes next to a route of its own, `/health`. */
interface App {
  readonly origin: string;
  close(): Promise<void>;
}

type Mount = (server: Pond['server']) => Promise<App>;

const mounts: Readonly<Record<string, Mount>> = {
  async 'node:http'(server) {
    const handlers = sseHandlers(server);
    const http = createServer((request, response) => {
      if (!handlers.handle(request, response)) response.end('fine');
    });
    return listening(http, handlers);
  },

  async 'Express 5'(server) {
    const handlers = sseHandlers(server);
    const app = express();
    app.get('/health', (_request, response) => void response.send('fine'));
    app.get('/sse', handlers.get).post('/messages', handlers.post);
    return listening(createServer(app), handlers);
  },

  async 'Express 5, with bodies that it parsed'(server) {
    const handlers = sseHandlers(server);
    const app = express();
    app.use(express.json(), express.urlencoded(), express.text());
    app.get('/health', (_request, response) => void response.send('fine'));
    app.get('/sse', handlers.get).post('/messages', handlers.post);
    return listening(createServer(app), handlers);
  },

  async 'a router of Express 5 under a path'(server) {
    const handlers = sseHandlers(server, { messagesPath: 'messages' });
    const app = express();
    app.get('/health', (_request, response) => void response.send('fine'));
    app.use('/', express.Router().get('/sse', handlers.get).post('/messages', handlers.post));
    return listening(createServer(app), handlers);
  },

  async 'Fastify 5'(server) {
    const handlers = sseHandlers(server);
    // `fetch` may hold a connection that it has not used yet, and Fastify would wait for that.
    const app = fastify({ forceCloseConnections: true });
    app.get('/health', () => 'fine');
    app.get('/sse', (request, reply) => {
      reply.hijack();
      handlers.get(request.raw, reply.raw);
    });
    app.post('/messages', (request, reply) => {
      reply.hijack();
      handlers.post(request.raw, reply.raw, request.body);
    });
    const origin = await app.listen({ port: 0, host: '127.0.0.1' });
    return {
      origin,
      async close() {
        await handlers.close();
        await app.close();
      },
    };
  },

  async 'Hono on Node, by its requests'(server) {
    const handlers = sseHandlers(server);
    const app = new Hono<{ Bindings: HttpBindings }>();
    app.get('/health', (context) => context.text('fine'));
    app.get('/sse', ({ env }) => {
      handlers.get(env.incoming, env.outgoing);
      return RESPONSE_ALREADY_SENT;
    });
    app.post('/messages', ({ env }) => {
      handlers.post(env.incoming, env.outgoing);
      return RESPONSE_ALREADY_SENT;
    });
    return serving(app.fetch as Parameters<typeof serve>[0]['fetch'], handlers);
  },

  async 'Hono, between Request and Response'(server) {
    const handler = sseFetchHandler(server);
    const app = new Hono();
    app.get('/health', (context) => context.text('fine'));
    app.get('/sse', (context) => handler(context.req.raw));
    app.post('/messages', (context) => handler(context.req.raw));
    return serving(app.fetch as Parameters<typeof serve>[0]['fetch'], handler);
  },
};

describe.each(Object.entries(mounts))('in an app of %s', (_, mount) => {
  async function mounted(): Promise<Pond & App> {
    const description = pond();
    const app = await mount(description.server);
    onTestFinished(() => app.close());
    return { ...description, ...app };
  }

  it('clients are served next to what it does already, each separately', async () => {
    const { origin, server } = await mounted();
    let open = 0;
    const counting = server.connections$.subscribe((connections) => (open = connections.length));
    onTestFinished(() => counting.unsubscribe());
    expect(await (await fetch(`${origin}/health`)).text()).toBe('fine');
    const remotes = await Promise.all(Array.from({ length: 3 }, () => visitor(`${origin}/sse`)));
    expect(open).toBe(3);
    const texts = await Promise.all(remotes.map((remote, to) => say(remote, 'count', { to })));
    expect(texts).toEqual(remotes.map((_remote, to) => `counted to ${String(to)}`));
    const asked = await Promise.all(remotes.map((remote) => say(remote, 'ask')));
    for (const text of asked) expect(text).toContain('the pond');
    await Promise.all(remotes.map((remote) => remote.close()));
    await vi.waitUntil(() => open === 0);
  });

  it('row 36: a post that names no session is refused, though there is one', async () => {
    const { origin } = await mounted();
    const remote = await visitor(`${origin}/sse`);
    const post = (query: string, body = '{}', type = 'application/json'): Promise<Response> =>
      fetch(`${origin}/messages${query}`, { method: 'POST', headers: { 'content-type': type }, body });
    expect((await post('')).status).toBe(400);
    expect((await post('?sessionId=unknown')).status).toBe(404);
    // What a page of another origin may send without asking.
    expect((await post('?sessionId=unknown', '{}', 'text/plain')).status).toBe(415);
    expect(await say(remote, 'count', { to: 0 })).toBe('counted to 0');
  });

  it('row 27: pages of other origins get nothing', async () => {
    const { origin } = await mounted();
    const headers = { origin: 'https://evil.example' };
    expect((await fetch(`${origin}/sse`, { headers })).status).toBe(403);
  });
});

async function listening(http: HttpServer, handlers: { close(): Promise<void> }): Promise<App> {
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${String((http.address() as AddressInfo).port)}`,
    async close() {
      await handlers.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

async function serving(
  fetch: Parameters<typeof serve>[0]['fetch'],
  handlers: { close(): Promise<void> },
): Promise<App> {
  return new Promise((resolve) => {
    // The global Response stays the platform's: other test files share this process.
    const options = { fetch, port: 0, hostname: '127.0.0.1', overrideGlobalObjects: false };
    const http = serve(options, ({ port }) => {
      resolve({
        origin: `http://127.0.0.1:${String(port)}`,
        async close() {
          await handlers.close();
          (http as HttpServer).closeAllConnections();
          await new Promise((closed) => http.close(closed));
        },
      });
    });
  });
}
