import { afterEach, describe, expect, it, vi } from 'vitest';
import { serveHttp, type HttpServeHandle, type ServeHttpOptions } from '../../src/node.js';
import { messagesIn, modern, post, request, until, usual } from './calls.js';
import { Desk } from './desk.js';

// Many exchanges each: where the machine is busy that takes longer than usual.

let desk = new Desk();
let handle: HttpServeHandle | undefined;

async function serve(options: ServeHttpOptions = {}): Promise<string> {
  desk = new Desk();
  handle = await serveHttp(desk, options);
  return handle.url;
}

afterEach(async () => {
  vi.useRealTimers();
  await handle?.close();
});

describe('a request that stands for itself', () => {
  it('is answered with one JSON text', async () => {
    const response = await fetch(await serve(), modern('echo', { a: 'é' }));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('mcp-session-id')).toBeNull();
    const { result } = (await response.json()) as { result: { echo: { a: string }; mirror: unknown } };
    expect(result.echo.a).toBe('é');
    expect(result.mirror).toEqual({ version: '2026-07-28', method: 'echo' });
  });

  it('is answered with a stream from the first notification on', async () => {
    const response = await fetch(await serve(), modern('tell', { count: 3 }));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('cache-control')).toBe('no-store, no-transform');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    const text = await response.text();
    expect(messagesIn(text).map((message) => message['method'] ?? 'result')).toEqual([
      'told',
      'told',
      'told',
      'result',
    ]);
    expect(text).not.toContain('id: ');
  });

  it('shares its id with others', async () => {
    const url = await serve();
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, owner) =>
        fetch(url, modern('echo', { owner }, 1)).then((response) => response.json()),
      ),
    );
    responses.forEach((response, owner) =>
      expect(response).toMatchObject({ id: 1, result: { echo: { owner } } }),
    );
    expect(desk.seen).toHaveLength(1);
  });

  it('becomes a stream after 10 s, with a comment as its first byte', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    const url = await serve();
    const asked = fetch(url, modern('hold'));
    await until(() => desk.holding === 1);
    await vi.advanceTimersByTimeAsync(11_000);
    const response = await asked;
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toBe(': open\n\n');
    desk.release();
    expect(messagesIn((await reader?.read())?.value ?? '')).toMatchObject([{ result: { held: true } }]);
    expect((await reader?.read())?.done).toBe(true);
  });

  it('a caller that leaves closes the lane, before and after the response began', async () => {
    const url = await serve();
    for (const method of ['hold', 'tell']) {
      const abort = new AbortController();
      const asked = fetch(url, { ...modern(method, { count: 1, hold: true }), signal: abort.signal });
      if (method === 'tell') await asked;
      await until(() => desk.holding === 1);
      const before = desk.sessionless?.lanesClosed.length ?? 0;
      abort.abort();
      await asked.catch(() => undefined);
      await until(() => desk.sessionless?.lanesClosed.length === before + 1);
      expect(desk.sessionless?.lanesClosed.at(-1)).toBe(desk.sessionless?.received.at(-1)?.arrival?.lane);
      desk.release();
    }
    expect((await fetch(url, modern('echo'))).status).toBe(200);
  });

  it('a response in time closes no lane', async () => {
    const url = await serve();
    await (await fetch(url, modern('echo'))).text();
    await (await fetch(url, modern('tell', { count: 1 }))).text();
    expect(desk.sessionless?.lanesClosed).toEqual([]);
  });

  it('a notification is taken without a response', async () => {
    const url = await serve();
    const response = await fetch(
      url,
      post({ jsonrpc: '2.0', method: 'notifications/x' }, { 'mcp-protocol-version': '2026-07-28' }),
    );
    expect(response.status).toBe(202);
    expect(await response.text()).toBe('');
    expect(desk.sessionless?.received).toHaveLength(1);
  });
});

describe('row 33: refusals with their HTTP status', () => {
  it.each([
    ['malformed', 400],
    ['unsupported-version', 400],
    ['header-mismatch', 400],
    ['missing-capability', 400],
    ['unknown-method', 404],
    ['overloaded', 503],
    [undefined, 200],
  ])('%s is %i', async (refusal, status) => {
    const response = await fetch(await serve(), modern('refuse', { refusal, code: -31500 }));
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -31500, message: 'refused' },
    });
    expect(response.headers.get('retry-after')).toBe(status === 503 ? '1' : null);
  });

  it('says when to retry', async () => {
    const params = { refusal: 'overloaded', code: -31001, data: { retryAfterMs: 2_500 } };
    expect((await fetch(await serve(), modern('refuse', params))).headers.get('retry-after')).toBe('3');
  });
});

describe('row 34: headers that repeat the body', () => {
  const ask = async (headers: Record<string, string>): Promise<Response> => {
    const init = modern('echo');
    return fetch(await serve(), {
      ...init,
      headers: { ...(init.headers as Record<string, string>), ...headers },
    });
  };

  it('arrives by name, decoded where it was wrapped', async () => {
    const response = await ask({
      'mcp-name': '=?base64?w6k=?=',
      'Mcp-Param-City': 'K',
      'mcp-param-empty': '',
      'mcp-param-half': '=?base64?w6k=',
      'mcp-param-upper': '=?BASE64?w6k=?=',
    });
    const { result } = (await response.json()) as { result: { mirror: unknown } };
    expect(result.mirror).toEqual({
      version: '2026-07-28',
      method: 'echo',
      name: 'é',
      'param.city': 'K',
      'param.empty': '',
      'param.half': '=?base64?w6k=',
      'param.upper': '=?BASE64?w6k=?=',
    });
  });

  it.each(['=?base64?w6k?=', '=?base64?!!!!?=', '=?base64?/w==?=', '=?base64?=w6k?=', '=?base64?w6k=\t?='])(
    '%s is refused',
    async (value) => {
      for (const name of ['mcp-name', 'mcp-param-city']) {
        const response = await ask({ [name]: value });
        expect(response.status).toBe(400);
        expect(await response.json()).toMatchObject({ id: 1, error: { code: -32020 } });
        expect(desk.sessionless?.received ?? []).toEqual([]);
      }
    },
  );
});

describe('which era a body is of', () => {
  it('row 31: a header of this era does not make up for a body without metadata', async () => {
    const response = await fetch(
      await serve(),
      post(request('tools/list'), { 'mcp-protocol-version': '2026-07-28' }),
    );
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ id: 1, error: { code: -32602 } });
  });

  it('metadata wins over the method and over a session id', async () => {
    const url = await serve();
    const init = modern('initialize');
    const response = await fetch(url, {
      ...init,
      headers: { ...(init.headers as Record<string, string>), 'mcp-session-id': 'nobody' },
    });
    expect(response.headers.get('mcp-session-id')).toBeNull();
    expect(desk.sessions).toEqual([]);
    expect(desk.sessionless?.received).toHaveLength(1);
  });

  it('a version that is not text is a broken claim, and the peer reports it', async () => {
    const url = await serve();
    const params = { _meta: { 'io.modelcontextprotocol/protocolVersion': 7 } };
    await fetch(url, post({ jsonrpc: '2.0', id: 1, method: 'echo', params }));
    expect(desk.sessionless?.received).toHaveLength(1);
  });

  it('row 45: rejects an unexpected response', async () => {
    const url = await serve();
    for (const headers of [{}, { 'mcp-protocol-version': '2026-07-28' }]) {
      for (const body of [
        { jsonrpc: '2.0', id: 1, result: {} },
        { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'x' } },
      ]) {
        expect((await fetch(url, post(body, headers))).status).toBe(400);
      }
    }
    expect(desk.seen).toEqual([]);
  });

  it('a Content-Type with parameters is JSON', async () => {
    const init = modern('echo');
    const headers = {
      ...(init.headers as object),
      ...usual,
      'content-type': 'Application/JSON; charset="UTF-8"',
    };
    expect((await fetch(await serve(), { ...init, headers })).status).toBe(200);
  });
});
