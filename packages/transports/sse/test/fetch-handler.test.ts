import { bearer } from '@rxmcp/transport/guard';
import { connectionHandler, type Recording, recording } from '@rxmcp/transport-tck/recording';
import { verifyApplicableRules } from '@rxmcp/transport-tck';
import type { Connection } from '@rxmcp/transport';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type SseFetchHandler, sseFetchHandler } from '../src/fetch.js';
import { sse } from '../src/index.js';
import { turnsUntil } from './stand.js';
import { aboutConnections } from '../../../../vitest.connections.js';
import { generousTimeouts } from '../../../../vitest.kit.js';

const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const base = 'http://localhost:8080';

/** A client's `fetch` that leads into a handler, in turns of their own as a network does. */
const into =
  (handler: SseFetchHandler) =>
  async (url: string, init: RequestInit): Promise<Response> => {
    const request = new Request(url, init);
    await new Promise((resolve) => setImmediate(resolve));
    return Promise.race([handler(request), aborted(request.signal)]);
  };

describe('HTTP+SSE between Request and Response', async () => {
  await verifyApplicableRules({
    // Sockets have all rules.
    test: aboutConnections(test, /^(?:limits|pressure\/(?!burst))/),
    options: generousTimeouts,
    async serve(acceptor) {
      const handler = sseFetchHandler(acceptor);
      return { transport: sse(`${base}/sse`, { fetch: into(handler) }), close: () => handler.close() };
    },
  });
});

describe('the handler', () => {
  test('answers as the one of Node does', async () => {
    const { handler, sessions } = served({ maxMessageBytes: 100 });
    const { reader, endpoint } = await stream(handler);
    const statuses = async (path: string, init: RequestInit): Promise<number> =>
      (await handler(new Request(new URL(path, base), init))).status;
    const json = { 'content-type': 'application/json' };
    const post = (body: BodyInit, headers: Record<string, string> = json) =>
      statuses(endpoint, { method: 'POST', headers, body });
    expect(await post(ping)).toBe(202);
    expect(await post(ping, { 'content-type': 'text/plain' })).toBe(415);
    expect(await post(ping, { ...json, 'content-encoding': 'gzip' })).toBe(415);
    expect(await post(ping, { ...json, origin: 'https://evil.example' })).toBe(403);
    expect(await post(ping, { ...json, host: 'evil.example' })).toBe(403);
    expect(await post('{')).toBe(400);
    expect(await post('1')).toBe(400);
    expect(await post(Uint8Array.of(0xff))).toBe(400);
    expect(await post('x'.repeat(101))).toBe(413);
    expect(await statuses('/messages', { method: 'POST', headers: json, body: ping })).toBe(400);
    expect(await statuses('/messages?sessionId=x', { method: 'POST', headers: json, body: ping })).toBe(404);
    expect(await statuses('/sse', { method: 'DELETE' })).toBe(405);
    expect(await statuses('/sse', { headers: { accept: 'text/html' } })).toBe(406);
    expect(await statuses('/elsewhere', {})).toBe(404);
    expect(sessions[0]?.record.messages).toEqual([JSON.parse(ping), 1]);
    await reader.cancel();
    await turnsUntil(() => sessions[0]?.record.closeErrors.length === 1);
    expect(await post(ping)).toBe(404);
  });

  test('opens sessions that are asked for at once in turns of the event loop', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    let opened = 0;
    const handler = sseFetchHandler(
      connectionHandler(() => {
        opened += 1;
        vi.advanceTimersByTime(20);
        return recording();
      }),
    );
    // As often as a loop looks for input before what waits.
    const turn = async (): Promise<void> => {
      for (let look = 0; look < 16; look += 1) await new Promise((resolve) => setImmediate(resolve));
    };
    // A turn that another test has begun ends by the real clock.
    await turn();
    const responses = [1, 2, 3].map(() => handler(new Request(`${base}/sse`)));
    for (const expected of [1, 2, 3]) {
      expect(opened).toBe(expected);
      await turn();
    }
    for (const response of responses) await (await response).body?.cancel();
    await handler.close();
  });

  test('authenticates callers, and checks origins', async () => {
    const origins = ['https://app.example'];
    const { handler } = served({
      allowedOrigins: origins,
      authenticate: bearer({ ada: 'a-token' }),
    });
    const origin = 'https://app.example';
    const refused = await handler(new Request(`${base}/sse`, { headers: { origin } }));
    expect(refused.status).toBe(401);
    expect(refused.headers.get('access-control-allow-origin')).toBe(origin);
    const headers = { origin, authorization: 'Bearer a-token' };
    const response = await handler(new Request(`${base}/sse`, { headers }));
    expect(response.status).toBe(200);
    expect(response.headers.get('access-control-allow-origin')).toBe(origin);
    await response.body?.cancel();
  });

  test('a message whose client leaves in the middle is not delivered', async () => {
    const { handler, sessions } = served();
    const { endpoint } = await stream(handler);
    const body = new ReadableStream({
      pull(controller) {
        controller.enqueue(new TextEncoder().encode(ping));
        controller.error(new Error('gone'));
      },
    });
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
    expect((await handler(new Request(new URL(endpoint, base), init))).status).toBe(400);
    expect(sessions[0]?.record.messages).toEqual([]);
  });

  test('a request that is aborted ends its session', async () => {
    const { handler, sessions } = served();
    const controller = new AbortController();
    await stream(handler, { signal: controller.signal });
    controller.abort();
    await turnsUntil(() => sessions[0]?.record.closeErrors.length === 1);
  });

  test('a session that is closing takes no message, while its client still reads what it was sent', async () => {
    const { handler, sessions } = served();
    const { reader, endpoint } = await stream(handler);
    const [session] = sessions;
    const text = 'x'.repeat(200_000);
    void session?.connection.send({ jsonrpc: '2.0', method: 'x', params: { text } }).catch(() => undefined);
    await new Promise((resolve) => setImmediate(resolve));
    const closed = session?.connection.close();
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: ping };
    expect((await handler(new Request(new URL(endpoint, base), init))).status).toBe(404);
    let length = 0;
    for (let next = await reader.read(); !next.done; next = await reader.read()) length += next.value.length;
    expect(length).toBeGreaterThan(text.length);
    await closed;
    expect(session?.record.messages).toEqual([]);
  });

  test('fault 13: a client that reads nothing is cut', async () => {
    const { handler, sessions } = served({ writeTimeoutMs: 100 });
    const { reader } = await stream(handler);
    const pad = 'x'.repeat(100_000);
    const sends = Array.from({ length: 10 }, () =>
      sessions[0]?.connection
        .send({ jsonrpc: '2.0', method: 'x', params: { pad } })
        .catch((error: unknown) => error),
    );
    await turnsUntil(() => sessions[0]?.record.closeErrors.length === 1);
    expect(sessions[0]?.record.closeErrors).toMatchObject([{ code: 'STALLED' }]);
    expect((await Promise.all(sends)).at(-1)).toMatchObject({ code: 'STALLED' });
    await expect(
      (async () => {
        while (!(await reader.read()).done) continue;
      })(),
    ).rejects.toThrow('cut');
  });
});

function served(options: Parameters<typeof sseFetchHandler>[1] = {}) {
  const sessions: { connection: Connection; record: Recording }[] = [];
  const handler = sseFetchHandler(
    connectionHandler((connection) => {
      const record = recording();
      sessions.push({ connection, record });
      return record;
    }),
    options,
  );
  onTestFinished(() => handler.close());
  return { handler, sessions };
}

async function stream(handler: SseFetchHandler, init: RequestInit = {}) {
  const response = await handler(new Request(`${base}/sse`, init));
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const text = Buffer.from((await reader.read()).value ?? []).toString();
  return { reader, endpoint: /data: (.*)\n/.exec(text)?.[1] ?? '' };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
