import { serveHttp } from '@rxmcp/http/node';
import { defineServer, once } from 'rxmcp';
import { offerResources, resource, resources } from 'rxmcp/resources';
import { tools } from 'rxmcp/tools';
import { BehaviorSubject } from 'rxjs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { closedPort } from '../../../../vitest.ports.js';
import { connected, say } from './connected.js';
import { listening } from './listening.js';
import { v1Server } from './v1-server.js';

describe('connect() over Streamable HTTP', () => {
  it('fails at once where no server listens', async () => {
    const gone = connected(`http://127.0.0.1:${String(closedPort)}/mcp`);
    await expect(gone).rejects.toMatchObject({
      code: expect.stringMatching(/DIAL_FAILED|CONNECTION_LOST/) as string,
    });
  });

  it.each([401, 403])('says that the server requires authentication: %i', async (status) => {
    const server = await listening((_request, response) => {
      response.writeHead(status, { 'www-authenticate': 'Bearer realm="birds"' }).end();
      return Promise.resolve();
    });
    const refused = connected(server.url, undefined, { headers: { authorization: 'Bearer s3cret' } });
    const details = { status, challenge: 'Bearer realm="birds"' };
    await expect(refused).rejects.toMatchObject({ code: 'UNAUTHORIZED', details });
    await expect(refused).rejects.not.toThrow(/s3cret/);
    // Who may not come in learns nothing of an era: there is no handshake after the probe.
    expect(server.got.map(({ rpc }) => rpc)).toEqual(['server/discover']);
  });

  it.each([404, 405])(
    'tries the handshake where the probe was refused, and reports the refusal: %i',
    async (status) => {
      const server = await listening((_request, response) => {
        response.writeHead(status).end();
        return Promise.resolve();
      });
      await expect(connected(server.url)).rejects.toMatchObject({ code: 'REJECTED', details: { status } });
      expect(server.got.map(({ rpc }) => rpc)).toEqual(['server/discover', 'initialize']);
    },
  );

  it.each([500, 503])('treats an outage as an outage, not as a sign of an era: %i', async (status) => {
    const server = await listening((_request, response) => {
      response.writeHead(status).end();
      return Promise.resolve();
    });
    await expect(connected(server.url)).rejects.toMatchObject({
      code: 'CONNECTION_LOST',
      details: { status },
    });
    expect(server.got.every(({ rpc }) => rpc === 'server/discover')).toBe(true);
  });
});

describe('a connection over Streamable HTTP', () => {
  it('stays open after a call whose answer is too large', async () => {
    const server = await v1Server();
    const { remote } = await connected(server.url, undefined, { maxResponseBytes: 10_000 });
    const large = once(tools(remote).call('greet', { name: 'x'.repeat(20_000) }));
    await expect(large).rejects.toMatchObject({ code: 'OVERFLOW', outcome: 'unknown' });
    expect(await say(remote, 'greet', { name: 'Ada' })).toBe('Hello, Ada!');
  });

  it('rejects a message that is too large, and stays open', async () => {
    const server = await v1Server();
    const { remote } = await connected(server.url, undefined, { maxMessageBytes: 10_000 });
    const large = once(tools(remote).call('greet', { name: 'x'.repeat(20_000) }));
    await expect(large).rejects.toMatchObject({ code: 'TOO_LARGE', outcome: 'not-sent' });
    expect(await say(remote, 'greet', { name: 'Ada' })).toBe('Hello, Ada!');
  });

  it('fails a watch at once whose subscription is too large; others continue', async () => {
    const state = new BehaviorSubject('one');
    const long = `test://${'x'.repeat(5_000)}`;
    const offer = offerResources(['test://a', long].map((uri) => resource(uri, {}, state)));
    const server = defineServer({ info: { name: 'a', version: '1' }, offers: [offer] });
    const serving = await serveHttp(server);
    onTestFinished(() => serving.close());
    let rejected = 0;
    const { remote } = await connected(serving.url, undefined, {
      // A proxy that takes no more, as Express does without an option.
      fetch: (url, init) => {
        if (!/subscriptions.listen.{4000}/.test(String(init.body))) return fetch(url, init);
        rejected += 1;
        return Promise.resolve(new Response('too large', { status: 413 }));
      },
    });
    const seen: unknown[] = [];
    const watched = resources(remote).watch('test://a');
    const subscription = watched.subscribe(([content]) => seen.push(content));
    await vi.waitFor(() => expect(seen).toMatchObject([{ text: 'one' }]));
    await expect(once(resources(remote).watch(long))).rejects.toMatchObject({
      code: 'REJECTED',
      details: { status: 413 },
    });
    expect(rejected).toBe(1);
    state.next('two');
    await vi.waitFor(() => expect(seen.at(-1)).toMatchObject({ text: 'two' }));
    subscription.unsubscribe();
  });
});
