import { expect, it, onTestFinished } from 'vitest';
import { defineClient } from '../../src/index.js';
import { connected, lost, rawServer } from '../rig/raw-server.js';
import { roots } from '../rig/roots.js';
import { turn } from '../rig/turn.js';

it('a response to server/discover without versions fails the connection, and no handshake follows', async () => {
  const server = rawServer(() => ({ result: { resultType: 'complete', capabilities: {} } }), { era: 'own' });
  const client = defineClient({ info: { name: 'c', version: '1' }, versions: ['2026-07-28'] });
  await expect(client.connect(server)).rejects.toMatchObject({
    code: 'NO_COMMON_VERSION',
    cause: {
      code: 'INVALID_RESULT',
      message: 'the response to "server/discover" lacks its versions or capabilities',
      outcome: 'answered',
    },
  });
  expect(server.pipes[0]?.sent.map(({ method }) => method)).toEqual(['server/discover']);
});

it.each([{ protocolVersion: 7, capabilities: {} }, { protocolVersion: '2025-11-25' }])(
  'an incomplete response to the handshake fails the connection: %j',
  async (result) => {
    const server = rawServer(() => ({ result }), { era: 'own' });
    const client = defineClient({ info: { name: 'c', version: '1' }, versions: ['2025-11-25'] });
    await expect(client.connect(server)).rejects.toMatchObject({
      code: 'INVALID_RESULT',
      outcome: 'answered',
    });
    expect(server.pipes[0]?.sent.map(({ method }) => method)).toEqual(['initialize']);
  },
);

it.each([
  ['is lost', lost(), 'CONNECTION_LOST'],
  ['ends', undefined, 'CLOSED'],
])('what answers a request of the server is aborted when the connection %s', async (_how, error, code) => {
  let signal: AbortSignal | undefined;
  const offer = roots((_params, ctx) => ((signal = ctx.signal), new Promise(() => undefined)));
  const server = rawServer(() => undefined, { era: 'legacy' });
  await connected(server, { offers: [offer] });
  server.pipes[0]?.put({ jsonrpc: '2.0', id: 's1', method: 'roots/list' });
  await turn();
  expect(signal?.aborted).toBe(false);
  server.pipes.at(-1)?.end(error);
  expect(signal?.reason).toMatchObject({ code });
});

it('a request of the server without a handler is rejected on its own lane', async () => {
  const server = rawServer(() => undefined, { era: 'legacy' }, { lanes: 'per-request', clientReplies: true });
  await connected(server);
  const [wire] = server.pipes;
  const lane = {};
  wire?.putOn({ jsonrpc: '2.0', id: 's1', method: 'x/unknown' }, { lane });
  await turn();
  expect(wire?.sent.at(-1)).toMatchObject({ id: 's1', error: { code: -32601 } });
  expect(wire?.envelopes.at(-1)).toMatchObject({ lane, version: '2025-11-25' });
});

it('faults are given to onFault of connect', async () => {
  const server = rawServer(() => undefined, { era: 'legacy' });
  const codes: string[] = [];
  const client = defineClient({ info: { name: 'c', version: '1' }, versions: ['2025-11-25'] });
  const remote = await client.connect(server, { onFault: ({ code }) => void codes.push(code) });
  onTestFinished(() => remote.close());
  server.pipes[0]?.put({ jsonrpc: '2.0', method: 'x/unknown' });
  await turn();
  expect(codes).toEqual(['UNKNOWN_NOTIFICATION']);
});

it.each([
  ['modern', 'server/discover'],
  ['legacy', 'initialize'],
] as const)('a %s server that declares too much is named with the method', async (era, method) => {
  const capabilities = { experimental: { a: 'x'.repeat(65_536) } };
  const client = defineClient({ info: { name: 'c', version: '1' } });
  await expect(client.connect(rawServer(() => undefined, { era, capabilities }))).rejects.toMatchObject({
    code: 'INVALID_RESULT',
    message: expect.stringContaining(`the result of "${method}" is too large`) as string,
  });
});
