import { AsyncLocalStorage } from 'node:async_hooks';
import { createServer, type Server as NodeServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { http } from '@rxmcp/http';
import { serveHttp } from '@rxmcp/http/node';
import { sse } from '@rxmcp/sse';
import { sseFetchHandler } from '@rxmcp/sse/fetch';
import { serveSse, sseHandlers } from '@rxmcp/sse/node';
import type { ConnectionHandler, HeadersSource, Transport } from '@rxmcp/transport';
import { type Authenticator, bearer } from '@rxmcp/transport/guard';
import { webSocket } from '@rxmcp/websocket';
import { serveWebSocket, webSocketHandler } from '@rxmcp/websocket/node';
import express from 'express';
import { defineClient, defineServer, once, type Remote } from 'rxmcp';
import { authorize } from 'rxmcp/interceptors';
import { offerTools, textOf, tool, tools } from 'rxmcp/tools';
import { describe, expect, expectTypeOf, it, onTestFinished } from 'vitest';

const both = ['2026-07-28', '2025-11-25'];

interface Carrier {
  readonly name: string;
  readonly versions: readonly string[];
  /** Whether each request is authenticated, not only the connection. */
  readonly perRequest: boolean;
  serve(
    server: ConnectionHandler,
    authenticate: Authenticator,
  ): Promise<{ url: string; close(): Promise<void> }>;
  dial(url: string, headers: HeadersSource): Transport;
}

const carriers: readonly Carrier[] = [
  {
    name: 'Streamable HTTP',
    versions: both,
    perRequest: true,
    serve: (server, authenticate) => serveHttp(server, { authenticate }),
    dial: (url, headers) => http(url, { headers }),
  },
  {
    name: 'HTTP+SSE',
    versions: ['2025-11-25'],
    perRequest: true,
    serve: (server, authenticate) => serveSse(server, { authenticate }),
    dial: (url, headers) => sse(url, { headers }),
  },
  {
    name: 'WebSocket',
    versions: both,
    perRequest: false,
    serve: (server, authenticate) => serveWebSocket(server, { authenticate }),
    dial: (url, headers) => webSocket(url, { headers }),
  },
];

const whoami = tool('whoami', (_args, { caller }) => {
  expectTypeOf(caller.scopes).toEqualTypeOf<readonly string[] | undefined>();
  return JSON.stringify([caller.principal, caller.scopes ?? null, caller.claims ?? null]);
});
const remove = tool('remove', () => 'removed');
const mayCall = authorize({
  allow: ({ scopes }, _kind, item) => item !== 'remove' || scopes?.includes('write') === true,
});
const server = defineServer({
  info: { name: 'mirror', version: '1.0.0' },
  offers: [offerTools([whoami, remove])],
  interceptors: [mayCall],
});

describe.each(carriers)('callers over $name', ({ versions, serve, dial, perRequest }) => {
  async function connect(
    authenticate: Authenticator,
    version: string,
    headers: () => Record<string, string>,
  ): Promise<Remote> {
    const listener = await serve(server, authenticate);
    const client = defineClient({ info: { name: 'client', version: '1.0.0' }, versions: [version] });
    const remote = await client.connect(dial(listener.url, headers));
    onTestFinished(async () => {
      await remote.close();
      await listener.close();
    });
    return remote;
  }

  const ask = async (remote: Remote): Promise<string> => textOf(await once(tools(remote).call('whoami')));

  it.each(versions)('%s: what bearer() knows of a token is in ctx.caller', async (version) => {
    const authenticate = bearer({
      ada: { token: 'laptop', scopes: ['read'], claims: { tenant: 'acme' } },
      'ada on call': { token: 'pager', principal: 'ada', scopes: ['read', 'write'] },
      bob: 'plain',
    });
    const texts: string[] = [];
    for (const token of ['laptop', 'pager', 'plain']) {
      const remote = await connect(authenticate, version, () => ({ authorization: `Bearer ${token}` }));
      texts.push(await ask(remote));
      const may = await once(tools(remote).call('remove')).then(textOf, () => 'rejected');
      texts.push(may);
    }
    expect(texts).toEqual([
      '["ada",["read"],{"tenant":"acme"}]',
      'rejected',
      '["ada",["read","write"],null]',
      'removed',
      '["bob",null,null]',
      'rejected',
    ]);
  });

  it.each(versions)('%s: scopes and claims are those of the request that is served', async (version) => {
    const authenticate: Authenticator = async (head) => {
      const [tenant] = head.headerValues('x-tenant');
      return {
        principal: 'ada',
        ...(tenant === undefined ? {} : { claims: { tenant }, scopes: [`of ${tenant}`] }),
      };
    };
    let headers: Record<string, string> = { 'x-tenant': 'first' };
    const remote = await connect(authenticate, version, () => headers);
    const texts = [await ask(remote)];
    headers = { 'x-tenant': 'second' };
    texts.push(await ask(remote));
    headers = {};
    texts.push(await ask(remote));
    const first = '["ada",["of first"],{"tenant":"first"}]';
    const later = ['["ada",["of second"],{"tenant":"second"}]', '["ada",null,null]'];
    expect(texts).toEqual([first, ...(perRequest ? later : [first, first])]);
  });
});

/** One way of an application to pass its caller to a transport other than Streamable HTTP. */
type Mounting = readonly [
  name: string,
  mount: (storage: AsyncLocalStorage<string>) => Promise<{ transport: Transport; close(): Promise<void> }>,
];

// `authenticate` must not be called where the application passes the caller.
const options = { authenticate: (): { status: 403 } => ({ status: 403 }) };
const caller = { principal: 'ada', scopes: ['read'], claims: { tenant: 'acme' } };

async function listening(
  app: NodeServer,
  end: () => Promise<void>,
): Promise<{ url: string; close(): Promise<void> }> {
  await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve));
  const close = async (): Promise<void> => {
    await end();
    app.closeAllConnections();
    app.close();
  };
  return { url: `127.0.0.1:${String((app.address() as AddressInfo).port)}`, close };
}

const mountings: readonly Mounting[] = [
  [
    'sseHandlers, routed by their paths',
    async (storage) => {
      const handlers = sseHandlers(contextual(storage), options);
      const app = createServer((request, response) =>
        storage.run('request', () => void handlers.handle(request, response, { caller })),
      );
      const { url, close } = await listening(app, () => handlers.close());
      return { transport: sse(`http://${url}/sse`), close };
    },
  ],
  [
    'sseHandlers in Express',
    async (storage) => {
      const handlers = sseHandlers(contextual(storage), options);
      const app = express();
      app.use((_request, _response, next) => storage.run('request', next));
      app.get('/sse', (request, response) => handlers.get(request, response, { caller }));
      app.post('/messages', (request, response) => handlers.post(request, response, undefined, { caller }));
      const { url, close } = await listening(createServer(app), () => handlers.close());
      return { transport: sse(`http://${url}/sse`), close };
    },
  ],
  [
    'sseFetchHandler',
    async (storage) => {
      const handler = sseFetchHandler(contextual(storage), options);
      const fetch = (url: string, init: RequestInit): Promise<Response> =>
        storage.run('request', () => handler(new Request(url, init), { caller }));
      return { transport: sse('http://localhost/sse', { fetch }), close: () => handler.close() };
    },
  ],
  [
    'webSocketHandler',
    async (storage) => {
      const handler = webSocketHandler(contextual(storage), options);
      const app = createServer();
      app.on('upgrade', (request, socket, head) =>
        storage.run('request', () => handler.upgrade(request, socket, head, { caller })),
      );
      const { url, close } = await listening(app, () => handler.close());
      return { transport: webSocket(`ws://${url}/mcp`), close };
    },
  ],
];

/** A server whose tool shows its caller and the context of its request. */
function contextual(storage: AsyncLocalStorage<string>): ConnectionHandler {
  const who = tool('who', (_args, { caller: { principal, scopes, claims } }) =>
    JSON.stringify([principal, scopes, claims, storage.getStore() ?? 'lost']),
  );
  return defineServer({ info: { name: 'contextual', version: '1.0.0' }, offers: [offerTools([who])] });
}

it.each(mountings)('%s: passes the caller and the context of the application', async (name, mount) => {
  const { transport, close } = await mount(new AsyncLocalStorage<string>());
  onTestFinished(close);
  const remote = await defineClient({ info: { name: 'client', version: '1.0.0' } }).connect(transport);
  onTestFinished(() => remote.close());
  const text = textOf(await once(tools(remote).call('who')));
  const { principal, scopes, claims } = caller;
  // The messages of a WebSocket are no requests of the application, which sees only the upgrade.
  const context = name === 'webSocketHandler' ? 'lost' : 'request';
  expect(text).toBe(JSON.stringify([principal, scopes, claims, context]));
});
