import { connect, defineServer } from '../src/index.js';
import { serveHttp } from '../src/http/node.js';
import { serveSse } from '../src/sse/node.js';
import { offerTools, tool } from '../src/tools.js';
import type { Authorizer } from '../src/transport.js';
import { bearer } from '../src/transport/guard.js';
import { serveWebSocket } from '../src/websocket/node.js';
import { describe, expect, it, onTestFinished } from 'vitest';

const server = defineServer({
  info: { name: 'protected', version: '1.0.0' },
  offers: [offerTools([tool('hello', () => 'hello')])],
});
const options = { port: 0, authenticate: bearer({ ada: 'the-new-token' }) };

/** Has an old token first, and a new one once a server rejects that. */
function renewing(): Authorizer & { readonly seen: string[] } {
  let token = 'an-old-token';
  const seen: string[] = [];
  return {
    seen,
    headers: () => Promise.resolve({ authorization: `Bearer ${token}` }),
    challenged(request, { status }) {
      seen.push(`${status} ${new URL(request.server ?? request.url).pathname}`);
      const isNew = token !== 'the-new-token';
      token = 'the-new-token';
      return Promise.resolve(isNew);
    },
    isWaiting: () => false,
  };
}

describe('a client with auth renews a token that the server rejects', () => {
  it.each([
    ['Streamable HTTP', () => serveHttp(server, options), '401 /mcp'],
    ['HTTP+SSE', () => serveSse(server, options), '401 /sse'],
    ['WebSocket', () => serveWebSocket(server, options), '401 /mcp'],
  ] as const)('over %s', async (_, serve, seen) => {
    const served = await serve();
    onTestFinished(() => served.close());
    const auth = renewing();
    const remote = await connect(served.url, { auth });
    onTestFinished(() => remote.close());
    expect((await remote.tools.call('hello')).content).toEqual([{ type: 'text', text: 'hello' }]);
    expect([...new Set(auth.seen)]).toEqual([seen]);
  });

  it('fails with UNAUTHORIZED where there is no new one', async () => {
    const served = await serveWebSocket(server, options);
    onTestFinished(() => served.close());
    const auth = { ...renewing(), challenged: () => Promise.resolve(false) };
    await expect(connect(served.url, { auth })).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });
});
