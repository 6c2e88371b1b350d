import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { CallClient } from '../src/client/call-client.js';
import { HttpWire } from '../src/client/http-wire.js';
import { SseWire } from '../src/client/sse-wire.js';
import { WebSocketWire } from '../src/client/web-socket-wire.js';
import type { Wire } from '../src/client/wire.js';
import { speakersOf } from '../src/settings.js';
import type { BenchEra } from '../src/requests.js';
import type { NetTransport } from '../src/settings.js';
import { serveNet } from '../src/servers/serve-net.js';
import { openSessions, openStreams } from '../src/sessions/open-sessions.js';
// Loaded before the first test, whose time it would take.
import '../src/servers/rxmcp-net.js';
import '../src/servers/v1-net.js';
import '../src/servers/v2-net.js';

const { Request, Response } = globalThis;
const inFlight = 8;
const open: { close(): unknown }[] = [];

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

// Hono's adapter replaces the global Request and Response, as it does where the bench runs; other test files share this process.
afterAll(() => void Object.assign(globalThis, { Request, Response }));

describe.each([
  ['http', 'legacy'],
  ['http', 'modern'],
  ['fetch', 'legacy'],
  ['fetch', 'modern'],
  ['ws', 'legacy'],
  ['ws', 'modern'],
  ['sse', 'legacy'],
] satisfies [NetTransport, BenchEra][])('over %s, %s', (transport, era) => {
  describe.each(speakersOf({ transport, era }))('%s', (contestant) => {
    it('answers the requests of the bench', async () => {
      const tools = 20;
      const serving = await serveNet({ contestant, transport, tools, era });
      open.push(serving);
      const wire = await wireTo(transport, era, serving.url);
      open.push(wire);
      const client = new CallClient(era, wire);
      expect(await client.open()).toBe(tools);
      const { latencies } = await client.run(50, inFlight);
      expect(latencies.every((micros) => micros > 0)).toBe(true);
    });
  });
});

it.each(speakersOf({ transport: 'sessions', era: 'legacy' }))(
  '%s opens sessions and their streams',
  async (contestant) => {
    const serving = await serveNet({ contestant, transport: 'http', tools: 10, era: 'legacy' });
    open.push(serving);
    const sessions = await openSessions(serving.url, 30, 10);
    expect(new Set(sessions).size).toBe(30);
    const sockets = await openStreams(serving.url, sessions);
    expect(sockets).toHaveLength(30);
    for (const socket of sockets) socket.destroy();
  },
);

it('says when a contestant does not speak a transport', async () => {
  await expect(serveNet({ contestant: 'v2', transport: 'ws', tools: 1, era: 'modern' })).rejects.toThrow(
    'v2 does not serve ws',
  );
});

function wireTo(transport: NetTransport, era: BenchEra, url: string): Promise<Wire> {
  switch (transport) {
    case 'ws':
      return WebSocketWire.open(url);
    case 'sse':
      return SseWire.open(url, inFlight);
    default:
      return HttpWire.open(url, era, inFlight);
  }
}
