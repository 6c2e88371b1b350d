import { memory } from 'rxmcp/memory';
import { defineServer, offerMethod, resource, template } from 'rxmcp';
import { http } from 'rxmcp/http';
import { fetchHandler } from 'rxmcp/http/fetch';
import { httpHandler, serveHttp } from 'rxmcp/http/node';
import { rateLimit } from 'rxmcp/interceptors';
import { offerPrompts } from 'rxmcp/prompts';
import { offerResources } from 'rxmcp/resources';
import { offerRoots } from 'rxmcp/roots';
import { samplingTool, tokenBudget } from 'rxmcp/sampling';
import { sse } from 'rxmcp/sse';
import { serveSse, sseHandlers } from 'rxmcp/sse/node';
import { serveStdio } from 'rxmcp/stdio';
import { webSocket } from 'rxmcp/websocket';
import { serveWebSocket, webSocketHandler } from 'rxmcp/websocket/node';
import { fakeRemote, transcript, virtualTime } from '@rxmcp/testing';
import { expect, it } from 'vitest';

/** Plain JavaScript: what TypeScript would not compile. */
type Loose = never;
/** What users of other SDKs guess, and what the error suggests. */
type Guesses = Readonly<Record<string, string>>;

const server = defineServer({ info: { name: 'test', version: '1.0.0' }, offers: [] });
const url = 'http://localhost/mcp';
const nothing = () => undefined as never;
const guard = {
  authentication: 'authenticate',
  verifyToken: 'authenticate',
  allowedOrgins: 'allowedOrigins',
  origin: 'allowedOrigins',
};
const httpServer = {
  ...guard,
  sessionIdGenerator: 'sessions',
  enableJsonResponse: 'streamAfterMs',
  enableDnsRebindingProtection: 'allowedHosts',
};
const listener = { hostname: 'host', tlsOptions: 'tls' };

const rows: readonly (readonly [where: string, call: (options: Loose) => unknown, guesses: Guesses])[] = [
  ['serveHttp', (options) => serveHttp(server, options), { ...httpServer, ...listener, endpoint: 'path' }],
  [
    'httpHandler',
    (options) => httpHandler(server, options),
    { ...httpServer, port: 'serveHttp(server, { port })' },
  ],
  ['fetchHandler', (options) => fetchHandler(server, options), httpServer],
  [
    'serveSse',
    (options) => serveSse(server, options),
    { ...guard, ...listener, messagePath: 'messagesPath' },
  ],
  [
    'sseHandlers',
    (options) => sseHandlers(server, options),
    { ...guard, port: 'serveSse(server, { port })' },
  ],
  ['serveWebSocket', (options) => serveWebSocket(server, options), { ...guard, ...listener }],
  [
    'webSocketHandler',
    (options) => webSocketHandler(server, options),
    { ...guard, auth: 'authenticate', path: 'serveWebSocket(server, { path })' },
  ],
  ['serveStdio', (options) => serveStdio(server, options), { stdin: 'input', stdout: 'output' }],
  ['http', (options) => http(url, options), { requestInit: 'headers', authProvider: 'auth' }],
  ['sse', (options) => sse(url, options), { eventSourceInit: 'headers', authProvider: 'auth' }],
  ['webSocket', (options) => webSocket('ws://localhost/mcp', options), { authProvider: 'auth' }],
  ['rateLimit', rateLimit, { max: 'limit', intervalMs: 'windowMs' }],
  ['offerPrompts', (options) => offerPrompts([], options), { pagesize: 'pageSize' }],
  ['offerResources', (options) => offerResources([], options), { subscriptions: 'subscribe' }],
  ['offerRoots', (options) => offerRoots([], options), { approval: 'approve' }],
  ['tokenBudget', tokenBudget, { tokens: 'tokensPerMinute' }],
  [
    'sampling tool "x"',
    (options) => samplingTool('x', options, nothing),
    { inputSchema: 'input', parameters: 'input' },
  ],
  [
    'offerMethod "x/y"',
    (options) => offerMethod('x/y', options, nothing),
    { schema: 'params', input: 'params' },
  ],
  ['resource "a://b"', (options) => resource('a://b', options, 'text'), { _meta: 'meta' }],
  ['template "a://{b}"', (options) => template('a://{b}', options, nothing), { contentType: 'mimeType' }],
  ['fakeRemote', (options) => fakeRemote({}, options), { versions: 'version' }],
  ['virtualTime', virtualTime, { start: 'startAt', now: 'startAt' }],
  ['transcript', (options) => transcript({ wire$: memory() as never }, options), { metadata: 'meta' }],
];

it.each(
  rows.flatMap(([where, call, guesses]) =>
    Object.entries(guesses).map(([guess, option]) => [where, guess, option, call] as const),
  ),
)('%s: the option "%s" is "%s"', async (where, guess, option, call) => {
  await expect(async () => call({ [guess]: 1 } as Loose)).rejects.toThrow(
    new TypeError(`${where}: unknown option "${guess}", did you mean "${option}"?`),
  );
});

it.each(rows)('%s lists its options for one that resembles none', async (where, call) => {
  await expect(async () => call({ notAnOption: 1 } as Loose)).rejects.toThrow(
    new RegExp(`^${where.replace(/[{}]/g, '.')}: unknown option "notAnOption"\\. It has \\w+`),
  );
});

it.each(rows)('%s ignores an option that is undefined', async (where, call) => {
  const message = await (async () => call({ notAnOption: undefined } as Loose))().then(
    async (made) => {
      // Whatever was made ends with the process of this test file.
      await (made as { close?: () => Promise<void> } | undefined)?.close?.();
      return '';
    },
    (error: Error) => error.message,
  );
  expect(`${where}${message}`).not.toContain('unknown option');
});
