import { once as event } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { once } from 'rxmcp';
import { serveHttp } from 'rxmcp/http/node';
import { tools } from 'rxmcp/tools';
import { bearer } from 'rxmcp/transport/guard';
import { transportFor } from 'rxmcp/url';
import { serveWebSocket } from 'rxmcp/websocket/node';
import { closedPort } from '../../../vitest.ports.js';
import { gone, type Running, usePrograms } from './program.js';
import { answering, scene } from './scenes.js';

const { start, behind } = usePrograms();

const connecting = (url: string | undefined) => answering('2025-11-25').connect(transportFor(url ?? ''));

describe('with --max-clients', () => {
  it('limits the processes of one address across all listeners, and asks one more client to retry later', async () => {
    const bridge = start(['--http', '0', '--sse', '0', '--ws', '0', '--max-clients', '4', '--', ...behind()]);
    const urls = await bridge.listening(3);
    const full = { code: -31_001, data: { retryable: true, executed: false } };
    const [one, other] = [await connecting(urls[0]), await connecting(urls[2])];
    onTestFinished(async () => void (await Promise.all([one.close(), other.close()])));
    for (const url of urls) await expect(connecting(url)).rejects.toMatchObject(full);
    const raw = await fetch(urls[0] ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: {} }),
    });
    expect(raw.status).toBe(503);
    expect(await raw.json()).toMatchObject({ id: 0, error: full });
    expect(bridge.behind()).toHaveLength(2);
    expect(bridge.stderr().match(/^TOO_MANY_CLIENTS: .*$/gm)).toEqual([
      'TOO_MANY_CLIENTS: rejected a client: the limit is 4, and 2 for one caller',
    ]);
    for (const remote of [one, other]) await once(tools(remote).call('echo'));
    await one.close();
    await gone(bridge.behind().slice(0, 1));
    await expect.poll(() => connecting(urls[1]).then((remote) => remote.close())).toBeUndefined();
    expect(bridge.behind()).toHaveLength(3);
  });
});

describe('a server that authenticates its callers', () => {
  const authenticate = bearer({ ada: 'her-token' });
  const authorization = 'Bearer her-token';

  async function exchanged(bridge: Running): Promise<unknown> {
    const [url] = await bridge.listening(1);
    const remote = await connecting(url);
    onTestFinished(() => remote.close());
    return (await once(tools(remote).call('echo', { a: 1 }))).content;
  }

  it.each([
    ['http', serveHttp],
    ['websocket', serveWebSocket],
  ])('accepts the token in a header, over %s', async (_name, serve) => {
    const serving = await serve(scene().server, { port: 0, authenticate });
    onTestFinished(() => serving.close());
    const content = [{ type: 'text', text: '{"a":1}' }];
    const told = start(['--http', '0', '--header', `authorization: ${authorization}`, serving.url]);
    expect(await exchanged(told)).toMatchObject(content);
    // The list of processes shows nothing of these.
    const RXMCP_HEADERS = JSON.stringify({ authorization });
    expect(await exchanged(start(['--http', '0', serving.url], { RXMCP_HEADERS }))).toMatchObject(content);
  });

  it('without a token is reported to the operator', async () => {
    const serving = await serveHttp(scene().server, { port: 0, authenticate });
    onTestFinished(() => serving.close());
    const bridge = start(['--http', '0', serving.url]);
    await expect(exchanged(bridge)).rejects.toMatchObject({ data: { code: 'UNAUTHORIZED' } });
    expect(bridge.stderr()).toMatch(/^UNAUTHORIZED: the server did not answer "initialize": .*401/m);
  });

  it.each(['http:', 'ws:'])('rejects a token in the URL, over %s', async (protocol) => {
    const bridge = start(['--http', '0', `${protocol}//ada:her-token@127.0.0.1/`]);
    expect(await bridge.ended).toBe(2);
    expect(bridge.stderr()).toMatch(/with --header or RXMCP_HEADERS\n$/);
    expect(bridge.stderr()).not.toContain('ada:her-token');
  });
});

describe('a server that cannot be reached', () => {
  it.each(['http', 'https', 'ws'])(
    'is reported to its operator with the reason, over %s',
    async (protocol) => {
      const bridge = start([`${protocol}://127.0.0.1:${String(closedPort)}/mcp`]);
      bridge.child.stdin.write('{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}\n');
      await event(bridge.child.stdout, 'data');
      expect(JSON.parse(bridge.stdout())).toMatchObject({
        error: { code: -31_003, data: { code: 'DIAL_FAILED' } },
      });
      bridge.child.stdin.end();
      expect(await bridge.ended).toBe(1);
      expect(bridge.stderr()).toMatch(/^DIAL_FAILED: .*127\.0\.0\.1.*ECONNREFUSED.*$/m);
    },
  );
});
