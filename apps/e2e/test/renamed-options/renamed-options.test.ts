import { PassThrough } from 'node:stream';
import { bridge, defineClient, defineServer, meter, reconnect, type Remote } from '@rxmcp/core';
import { approve, audit, cache, concurrency, redact, retry, timeout } from '@rxmcp/core/interceptors';
import { elicitUrl } from '@rxmcp/elicitation';
import { http } from '@rxmcp/http';
import { fetchHandler } from '@rxmcp/http/fetch';
import { httpHandler, memoryEventStore, serveHttp } from '@rxmcp/http/node';
import { jsonSchema, validator } from '@rxmcp/json-schema';
import { memory } from '@rxmcp/memory';
import { connectToFrame, messagePort, serveFrames, serveMessagePort } from '@rxmcp/message-port';
import { cachedPart, untrusted } from '@rxmcp/prompts';
import { reachableRoots } from '@rxmcp/roots/node';
import { offerSampling, openAiModel, sampleWithTools } from '@rxmcp/sampling';
import { sse } from '@rxmcp/sse';
import { sseFetchHandler } from '@rxmcp/sse/fetch';
import { serveSse, sseHandlers } from '@rxmcp/sse/node';
import { serveStdio, stdio } from '@rxmcp/stdio';
import { duplexConnection, serveSocket, socket } from '@rxmcp/stdio/net';
import { connectedPair, exportTest, record } from '@rxmcp/testing';
import { offerTools, tools } from '@rxmcp/tools';
import { chaos } from '@rxmcp/transport';
import { cors, guard } from '@rxmcp/transport/guard';
import { verifyTransport } from '@rxmcp/transport-tck';
import { webSocket } from '@rxmcp/websocket';
import { serveWebSocket, webSocketHandler } from '@rxmcp/websocket/node';
import { once } from '@rxmcp/core';
import { createServer } from 'rxmcp';
import { expect, it } from 'vitest';

/** Plain JavaScript: what TypeScript would not compile. */
type Loose = never;
type Row = readonly [
  where: string,
  call: (options: Loose) => unknown,
  renamed: Readonly<Record<string, string>>,
];

const info = { name: 'test', version: '1.0.0' };
const server = defineServer({ info, offers: [] });
const requestState = { stateKeys: 'requestStateKeys', maxStateBytes: 'maxRequestStateBytes' };
const limits = { maxQueued: 'maxQueuedRequests' };
const access = { hosts: 'allowedHosts', origins: 'allowedOrigins' };
const httpServer = {
  ...access,
  commitMs: 'streamAfterMs',
  stallMs: 'writeTimeoutMs',
  keepAliveMs: 'keepAliveIntervalMs',
  sessionIdleMs: 'sessionIdleTimeoutMs',
  pollMs: 'pollIntervalMs',
  events: 'eventStore',
};
const sseServer = {
  ...access,
  messages: 'messagesPath',
  keepAliveMs: 'keepAliveIntervalMs',
  firstMessageMs: 'firstMessageTimeoutMs',
  stallMs: 'writeTimeoutMs',
};
const webSocketServer = {
  ...access,
  stallMs: 'writeTimeoutMs',
  heartbeatMs: 'heartbeatIntervalMs',
  firstMessageMs: 'firstMessageTimeoutMs',
};
const port = { stallMs: 'writeTimeoutMs', plain: 'protocolOnly' };
const ctx = undefined as never;

const rows: readonly Row[] = [
  [
    'defineClient',
    (options) => defineClient({ info, ...(options as object) }),
    {
      timeoutMs: 'idleTimeoutMs',
      totalMs: 'totalTimeoutMs',
      probeMs: 'probeTimeoutMs',
    },
  ],
  ['defineClient limits', (options) => defineClient({ info, limits: options }), limits],
  ['defineServer', (options) => defineServer({ info, offers: [], ...(options as object) }), requestState],
  ['createServer', (options) => createServer({ ...info, ...(options as object) }), requestState],
  [
    'defineServer limits',
    (options) => defineServer({ info, offers: [], limits: options }),
    { ...limits, perPrincipal: 'perCaller', anonymous: 'allAnonymous' },
  ],
  [
    'defineServer limits',
    (options) => defineServer({ info, offers: [], limits: { perCaller: options } }),
    limits,
  ],
  [
    'defineServer limits',
    (options) => defineServer({ info, offers: [], limits: { allAnonymous: options } }),
    limits,
  ],
  ['timeout', timeout, { eachMs: 'idleTimeoutMs', totalMs: 'totalTimeoutMs' }],
  ['retry', retry, { attempts: 'maxAttempts', delayMs: 'initialDelayMs', replayable: 'isRepeatable' }],
  ['concurrency', concurrency, { max: 'maxConcurrentRequests', queue: 'maxQueuedRequests' }],
  ['cache', cache, { authorization: 'partitionKey' }],
  ['approve', approve, { ask: 'confirm' }],
  ['audit', audit, { params: 'includeParams' }],
  ['redact', redact, { params: 'redactParams' }],
  ['reconnect', reconnect, { attempts: 'maxAttempts', delayMs: 'initialDelayMs' }],
  [
    'meter',
    meter,
    {
      slowMs: 'slowCallMs',
      unusualFactor: 'unusualRateFactor',
      unusualLeast: 'unusualRateMinDifference',
    },
  ],
  ['bridge', (options) => bridge(memory(), options), { dialMs: 'connectTimeoutMs' }],
  ['chaos', (options) => chaos(memory(), options), { cutAfter: 'cutAfterMessages' }],
  ['guard', guard, access],
  ['cors', cors, { origins: 'allowedOrigins' }],
  ['http', (options) => http('http://localhost/mcp', options), { requestInit: 'headers' }],
  ['serveHttp', (options) => serveHttp(server, options), httpServer],
  ['httpHandler', (options) => httpHandler(server, options), httpServer],
  ['fetchHandler', (options) => fetchHandler(server, options), httpServer],
  [
    'memoryEventStore',
    memoryEventStore,
    {
      maxEvents: 'maxEventsPerStream',
      maxBytes: 'maxCharactersPerStream',
      maxTotalBytes: 'maxTotalCharacters',
    },
  ],
  [
    'sse',
    (options) => sse('http://localhost/sse', options),
    { dialMs: 'connectTimeoutMs', stallMs: 'writeTimeoutMs' },
  ],
  ['serveSse', (options) => serveSse(server, options), sseServer],
  ['sseHandlers', (options) => sseHandlers(server, options), sseServer],
  ['sseFetchHandler', (options) => sseFetchHandler(server, options), sseServer],
  [
    'webSocket',
    (options) => webSocket('ws://localhost/mcp', options),
    { dialMs: 'connectTimeoutMs', stallMs: 'writeTimeoutMs', heartbeatMs: 'heartbeatIntervalMs' },
  ],
  ['serveWebSocket', (options) => serveWebSocket(server, options), webSocketServer],
  ['webSocketHandler', (options) => webSocketHandler(server, options), webSocketServer],
  ['stdio', (options) => stdio({ command: 'node', ...(options as object) }), { stallMs: 'writeTimeoutMs' }],
  [
    'stdio closeTimeouts',
    (options) => stdio({ command: 'node', closeTimeouts: options }),
    { inputMs: 'stdinTimeoutMs', termMs: 'sigtermTimeoutMs' },
  ],
  [
    'serveStdio',
    (options) => serveStdio(server, options),
    { stallMs: 'writeTimeoutMs', drainMs: 'drainTimeoutMs', exit: 'exitOnDisconnect' },
  ],
  ['socket', socket, { withinMs: 'connectTimeoutMs', stallMs: 'writeTimeoutMs' }],
  [
    'serveSocket',
    (options) => serveSocket(server, options),
    { firstMessageMs: 'firstMessageTimeoutMs', stallMs: 'writeTimeoutMs' },
  ],
  [
    'duplexConnection',
    (options) => duplexConnection(new PassThrough(), options),
    { served: 'isServer', stallMs: 'writeTimeoutMs', firstMessageMs: 'firstMessageTimeoutMs' },
  ],
  ['memory', memory, { stallMs: 'writeTimeoutMs', maxQueued: 'maxQueuedMessages' }],
  ['messagePort', (options) => messagePort(ctx, options), port],
  ['serveMessagePort', (options) => serveMessagePort(server, ctx, options), port],
  ['serveFrames', (options) => serveFrames(server, options), { ...port, origins: 'allowedOrigins' }],
  ['connectToFrame', (options) => connectToFrame(ctx, options), { withinMs: 'connectTimeoutMs' }],
  ['tools', (options) => tools(ctx as Remote, options), { schemas: 'validator' }],
  ['offerTools', (options) => offerTools([], options), { schemas: 'validator' }],
  ['cachedPart', (options) => cachedPart(String, options), { keepMs: 'ttlMs' }],
  ['untrusted', (options) => untrusted('text', options), { from: 'source' }],
  ['openAiModel', openAiModel, { tokenLimit: 'tokenLimitField', timeoutMs: 'totalTimeoutMs' }],
  ['offerSampling', (options) => offerSampling(ctx, options), { aroundModel: 'modelInterceptors' }],
  [
    'sampleWithTools',
    (options) => sampleWithTools(ctx, 'key', options),
    { maxUses: 'maxToolUsesPerTurn', maxTogether: 'maxConcurrentToolUses' },
  ],
  ['elicitUrl', (options) => elicitUrl(ctx, 'key', options), { over: 'completed' }],
  ['reachableRoots', (options) => reachableRoots([], options), { checkMs: 'checkIntervalMs' }],
  [
    'jsonSchema',
    (options) => jsonSchema({}, options),
    { maxBytes: 'maxSchemaBytes', maxDepth: 'maxSchemaDepth' },
  ],
  ['validator', validator, { maxSchemas: 'maxCachedSchemas' }],
  ['connectedPair', connectedPair, { atEnd: 'onCleanup' }],
  ['record', (options) => record(memory(), options), { maxChars: 'maxMessageChars' }],
  [
    'exportTest',
    (options) => exportTest(ctx, options),
    { fromMs: 'startMs', toMs: 'endMs', timed: 'checkTimes' },
  ],
  [
    'verifyTransport',
    (options) => verifyTransport({ test: ctx, serve: ctx, options }),
    {
      remote: 'outOfProcess',
      lawMs: 'ruleTimeoutMs',
      waitMs: 'stepTimeoutMs',
      closeMs: 'closeTimeoutMs',
    },
  ],
];

it.each(
  rows.flatMap(([where, call, renamed]) =>
    Object.entries(renamed).map(([option, present]) => [where, option, present, call] as const),
  ),
)('%s: the option "%s" is called "%s" now', async (where, option, present, call) => {
  await expect(async () => call({ [option]: 1 } as Loose)).rejects.toThrow(
    new TypeError(`${where}: unknown option "${option}", did you mean "${present}"?`),
  );
});

/** These also take options of their callers, or parameters of a request. */
const wide = new Set(['guard', 'cors', 'elicitUrl', 'sampleWithTools']);

it.each(rows.filter(([where]) => !wide.has(where)))(
  '%s rejects an option that does not exist and lists those that do',
  async (where, call) => {
    await expect(async () => call({ notAnOption: 1 } as Loose)).rejects.toThrow(
      new RegExp(`^${where}: unknown option "notAnOption"\\. It has \\w+`),
    );
  },
);

it.each([
  ['timeoutMs', 'idleTimeoutMs'],
  ['totalMs', 'totalTimeoutMs'],
])('a call: the option "%s" is called "%s" now', async (option, present) => {
  const link = memory();
  const handle = link.serve(server);
  const remote = await defineClient({ info }).connect(link);
  const options = { [option]: 1 } as Loose;
  await expect(once(remote.request('x/y', {}, options))).rejects.toThrow(
    new TypeError(`x/y: unknown option "${option}", did you mean "${present}"?`),
  );
  await remote.close();
  await handle.close();
});
