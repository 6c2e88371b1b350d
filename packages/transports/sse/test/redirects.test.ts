import { describe, expect, test } from 'vitest';
import { sse } from '../src/index.js';
import { connected, hostile, streaming } from './hostile.js';
import { turnsUntil } from './stand.js';

const failure = (dial: Promise<unknown>): Promise<unknown> =>
  dial.then(
    () => 'connected',
    (error: unknown) => error,
  );

/** A custom `fetch` that follows redirects automatically. */
const following = (to: string, init: RequestInit): Promise<Response> =>
  globalThis.fetch(to, { ...init, redirect: 'follow' });

describe('row 72: redirects', () => {
  test('to another origin are not followed, and nothing leaves', async () => {
    const canary = await hostile((response) => void streaming(response));
    const { url, requests } = await hostile((response) => {
      response.writeHead(307, { location: canary.url }).end();
    });
    const error = await failure(sse(url, { headers: { authorization: 'Bearer t' } }).dial());
    expect(error).toMatchObject({ code: 'DIAL_FAILED', details: { status: 307 } });
    expect(canary.requests).toEqual([]);
    expect(requests).toHaveLength(1);
  });

  test('that a custom `fetch` followed to another origin end the dial, and no message is sent there', async () => {
    const canary = await hostile((response) => void streaming(response));
    const { url } = await hostile((response) => void response.writeHead(307, { location: canary.url }).end());
    const error = await failure(
      sse(url, { headers: { authorization: 'Bearer t' }, fetch: following }).dial(),
    );
    expect(error).toMatchObject({ code: 'DIAL_FAILED', outcome: 'not-sent' });
    expect(String(error)).toContain(`"${canary.origin}"`);
    await turnsUntil(() => canary.sockets() === 0);
    // The platform sends no token along.
    expect(canary.headers.map(({ authorization }) => authorization)).toEqual([undefined]);
  });

  test('that a custom `fetch` followed within the origin are the base of the URL to post to', async () => {
    const { url, requests } = await hostile((response, { url: target }) => {
      if (target === '/deep/sse') streaming(response, 'messages');
      else response.writeHead(307, { location: '/deep/sse' }).end();
    });
    const { connection } = await connected(url, { fetch: following });
    await connection.send({ jsonrpc: '2.0', method: 'x' });
    expect(requests).toEqual(['GET /sse', 'GET /deep/sse', 'POST /deep/messages']);
  });

  test('of a message to another origin are not followed either', async () => {
    const canary = await hostile((response) => void streaming(response));
    const { url } = await hostile(
      (response) => void streaming(response),
      (response) => void response.writeHead(308, { location: `${canary.origin}/messages` }).end(),
    );
    const { connection, record } = await connected(url);
    const error = await failure(connection.send({ jsonrpc: '2.0', method: 'x' }));
    expect(error).toMatchObject({ code: 'SEND_FAILED', outcome: 'not-sent' });
    expect(canary.requests).toEqual([]);
    expect(record.closeErrors).toEqual([]);
  });

  test('within the origin are followed, with the headers, three of them', async () => {
    const { url, requests, headers } = await hostile(
      (response, { url: target }) => {
        if (target === '/sse/') streaming(response, 'messages');
        else response.writeHead(307, { location: '/sse/' }).end();
      },
      (response, { url: target }) => {
        if (target?.endsWith('/') === true) response.writeHead(202).end();
        else response.writeHead(307, { location: `${String(target)}/` }).end();
      },
    );
    const { connection } = await connected(url, { headers: { authorization: 'Bearer t' } });
    await connection.send({ jsonrpc: '2.0', method: 'x' });
    expect(requests).toEqual(['GET /sse', 'GET /sse/', 'POST /sse/messages', 'POST /sse/messages/']);
    expect(headers.map(({ authorization }) => authorization)).toEqual(Array(4).fill('Bearer t'));
    const endless = await hostile(
      (response, { url: at }) => void response.writeHead(302, { location: `${String(at)}x` }).end(),
    );
    expect(await failure(sse(endless.url).dial())).toMatchObject({ code: 'DIAL_FAILED' });
    expect(endless.requests).toHaveLength(4);
  });
});
