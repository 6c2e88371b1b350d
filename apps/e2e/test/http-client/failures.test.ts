import { once } from 'rxmcp';
import { tools } from 'rxmcp/tools';
import { describe, expect, it } from 'vitest';
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
});
