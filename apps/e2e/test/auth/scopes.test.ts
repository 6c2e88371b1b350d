import { requireScopes } from '@rxmcp/auth/server';
import { http } from '@rxmcp/http';
import { serveHttp } from '@rxmcp/http/node';
import { sse } from '@rxmcp/sse';
import { serveSse } from '@rxmcp/sse/node';
import type { Transport } from '@rxmcp/transport';
import { bearer } from '@rxmcp/transport/guard';
import { webSocket } from '@rxmcp/websocket';
import { serveWebSocket } from '@rxmcp/websocket/node';
import { defineClient, defineServer, once } from 'rxmcp';
import { offerPrompts, prompt, prompts, user } from 'rxmcp/prompts';
import { offerTools, text, tool, tools } from 'rxmcp/tools';
import { describe, expect, it, onTestFinished } from 'vitest';

const server = defineServer({
  info: { name: 'hall', version: '1.0.0' },
  offers: [
    offerTools([tool('look', {}, () => text('seen')), tool('wipe', {}, () => text('wiped'))]),
    offerPrompts([prompt('plan', {}, () => [user('plan')])]),
  ],
  interceptors: [requireScopes({ tools: { wipe: ['write'] }, prompts: { '*': ['plan'] } })],
});
const authenticate = bearer({
  reader: { token: 'r', scopes: ['read'] },
  writer: { token: 'w', scopes: ['read', 'write', 'plan'] },
});

type Dial = (headers: () => Promise<Record<string, string>>) => Transport;

const transports: readonly (readonly [name: string, era: 'legacy' | 'modern', serve: () => Promise<Dial>])[] =
  [
    ['Streamable HTTP', 'legacy', overHttp],
    ['Streamable HTTP', 'modern', overHttp],
    // Modern revisions are not carried by HTTP+SSE.
    ['HTTP+SSE', 'legacy', overSse],
    ['WebSocket', 'legacy', overWebSocket],
    ['WebSocket', 'modern', overWebSocket],
  ];

describe.each(transports)('over %s in the %s era', (_name, era, serve) => {
  it.each([
    ['r', ['look'], [], { code: -31005, data: { requiredScopes: ['write'] } }],
    ['w', ['look', 'wipe'], ['plan'], undefined],
  ] as const)(
    'the caller with token %s sees and uses what its scopes allow',
    async (token, seen, plans, error) => {
      const dial = await serve();
      const client = defineClient({ info: { name: 'desk', version: '1.0.0' }, eras: [era] });
      const remote = await client.connect(dial(() => Promise.resolve({ authorization: `Bearer ${token}` })));
      onTestFinished(() => remote.close());
      expect((await once(tools(remote).list())).map(({ name }) => name)).toEqual(seen);
      expect((await once(prompts(remote).list())).map(({ name }) => name)).toEqual(plans);
      const wiped = once(tools(remote).call('wipe'));
      if (error === undefined) expect((await wiped).content).toEqual([{ type: 'text', text: 'wiped' }]);
      else await expect(wiped).rejects.toMatchObject(error);
      expect((await once(tools(remote).call('look'))).content).toEqual([{ type: 'text', text: 'seen' }]);
    },
  );
});

async function overHttp(): Promise<Dial> {
  const { url, close } = await serveHttp(server, { port: 0, authenticate });
  onTestFinished(() => close());
  return (headers) => http(url, { headers });
}

async function overSse(): Promise<Dial> {
  const { url, close } = await serveSse(server, { port: 0, authenticate });
  onTestFinished(() => close());
  return (headers) => sse(url, { headers });
}

async function overWebSocket(): Promise<Dial> {
  const { url, close } = await serveWebSocket(server, { port: 0, authenticate });
  onTestFinished(() => close());
  return (headers) => webSocket(url, { headers });
}
