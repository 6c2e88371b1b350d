import { bearer } from '@rxmcp/transport/guard';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { listening, messagesIn, modern, post, request, until } from '../calls.js';
import { greet, Reader, type Rig, rigs } from '../fixtures.js';

// Many exchanges each: where the machine is busy that takes longer than usual.

describe.each(rigs)('sessions $name', ({ serve }) => {
  let rig: Rig;

  beforeEach(async () => {
    rig = await serve();
  });
  afterEach(async () => {
    vi.useRealTimers();
    await rig.close();
  });

  it('a handshake makes one, and its id comes with that answer only', async () => {
    const headers = await greet(rig);
    expect(headers['mcp-session-id']).toMatch(/^[\x21-\x7e]{36}$/);
    const response = await rig.ask(post(request('echo', { a: 1 }), headers));
    expect(response.headers.get('mcp-session-id')).toBeNull();
    expect(await response.json()).toMatchObject({ result: { echo: { a: 1 } } });
    expect(rig.desk.sessions).toHaveLength(1);
    expect(rig.desk.sessionless).toBeUndefined();
  });

  it('a handshake that fails makes none', async () => {
    const response = await rig.ask(post(request('initialize', { refuse: true })));
    expect(response.headers.get('mcp-session-id')).toBeNull();
    await response.text();
    await until(() => rig.desk.sessions[0]?.closed === null);
  });

  it('two clients that use the same ids never meet', async () => {
    const clients = await Promise.all([greet(rig), greet(rig)]);
    const responses = await Promise.all(
      clients.flatMap((headers, owner) =>
        Array.from({ length: 20 }, async (_, id) =>
          expect(await (await rig.ask(post(request('echo', { owner }, id), headers))).json()).toMatchObject({
            id,
            result: { echo: { owner } },
          }),
        ),
      ),
    );
    expect(responses).toHaveLength(40);
  });

  it('works together with requests that need no session, on one URL', async () => {
    const headers = await greet(rig);
    const [one, other] = await Promise.all([
      rig.ask(post(request('echo'), headers)),
      rig.ask(modern('echo')),
    ]);
    expect([one.status, other.status]).toEqual([200, 200]);
    expect(rig.desk.seen).toHaveLength(2);
  });

  it('notifications and answers are taken with 202', async () => {
    const headers = await greet(rig);
    for (const body of [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 1, error: { code: -1, message: 'no' } },
    ]) {
      const response = await rig.ask(post(body, headers));
      expect(response.status).toBe(202);
      expect(await response.text()).toBe('');
      expect(rig.desk.sessions[0]?.received.at(-1)?.incoming).toEqual(body);
    }
  });

  it('row 33: an unknown method is not a 404, which would end the session', async () => {
    const headers = await greet(rig);
    const response = await rig.ask(
      post(request('refuse', { refusal: 'unknown-method', code: -32601 }), headers),
    );
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ error: { code: -32601 } });
  });

  it('row 36: the id is missing, unknown, ended, long or odd', async () => {
    const headers = await greet(rig);
    const without = { 'mcp-protocol-version': '2025-11-25' };
    for (const method of ['POST', 'GET', 'DELETE']) {
      const init = (more: Record<string, string>): RequestInit =>
        method === 'POST' ? post(request('echo'), more) : { ...listening(more), method };
      expect((await rig.ask(init(without))).status).toBe(400);
      for (const id of ['unknown', 'a'.repeat(129), 'a b', `${headers['mcp-session-id'] ?? ''}x`, 'é', '']) {
        const response = await rig.ask(init({ ...without, 'mcp-session-id': id }));
        expect([method, id, response.status]).toEqual([method, id, 404]);
      }
    }
    await rig.ask({ method: 'DELETE', headers });
    expect((await rig.ask(post(request('echo'), headers))).status).toBe(404);
  });

  it('row 42: a second handshake changes nothing', async () => {
    const headers = await greet(rig, '2025-06-18');
    const again = await rig.ask(post(request('initialize', { protocolVersion: '2025-11-25' }, 9), headers));
    expect(again.status).toBe(400);
    expect(await again.json()).toMatchObject({ id: 9, error: { code: -32600 } });
    expect(rig.desk.sessions).toHaveLength(1);
    expect(rig.desk.sessions[0]?.received).toHaveLength(1);
  });

  it('a revision that is not spoken within sessions is refused', async () => {
    const headers = await greet(rig);
    for (const version of ['2020-01-01', 'latest', '2025-11-25, 2025-11-25']) {
      const response = await rig.ask(post(request('echo'), { ...headers, 'mcp-protocol-version': version }));
      expect(response.status).toBe(400);
      const named = { ...headers, 'mcp-protocol-version': version };
      expect((await rig.ask(listening(named))).status).toBe(400);
      expect((await rig.ask({ method: 'DELETE', headers: named })).status).toBe(400);
    }
    const none = await rig.ask(post(request('echo'), { 'mcp-session-id': headers['mcp-session-id'] ?? '' }));
    expect(none.status).toBe(200);
  });

  it('row 40: DELETE ends it with everything in it, once', async () => {
    const headers = await greet(rig);
    const held = rig.ask(post(request('hold'), headers));
    const told = new Reader(await rig.ask(post(request('tell', { count: 1, hold: true }, 2), headers)));
    const standing = new Reader(await rig.ask(listening(headers)));
    await until(() => rig.desk.holding === 2);
    expect((await rig.ask({ method: 'DELETE', headers })).status).toBe(200);
    expect(rig.desk.sessions[0]?.closed).toBeNull();
    expect((await held).status).toBe(404);
    expect(messagesIn(await told.rest())).toMatchObject([{ method: 'told' }]);
    await standing.rest();
    expect((await rig.ask({ method: 'DELETE', headers })).status).toBe(404);
  });

  it('a client that leaves does not cancel', async () => {
    await rig.close();
    rig = await serve({ eventStore: false });
    const headers = await greet(rig);
    const abort = new AbortController();
    const asked = rig.ask({ ...post(request('hold'), headers), signal: abort.signal });
    await until(() => rig.desk.holding === 1);
    abort.abort();
    await asked.catch(() => undefined);
    await until(() => rig.desk.sessions[0]?.lanesClosed.length === 1);
    expect(rig.desk.sessions[0]?.closed).toBeUndefined();
    rig.desk.release();
    expect((await rig.ask(post(request('echo'), headers))).status).toBe(200);
  });
});

describe.each(rigs)('the standing stream $name', ({ serve }) => {
  let rig: Rig;
  afterEach(() => rig.close());

  it('carries what belongs to no request', async () => {
    rig = await serve();
    const headers = await greet(rig);
    const response = await rig.ask(listening(headers));
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const reader = new Reader(response);
    await rig.ask(post(request('push', { a: 1 }), headers));
    await reader.until('pushed');
    expect(messagesIn(reader.text)).toEqual([{ jsonrpc: '2.0', method: 'pushed', params: { a: 1 } }]);
    await reader.leave();
  });

  it('messages pushed before the first reader are waiting, within the limit', async () => {
    rig = await serve();
    const headers = await greet(rig);
    for (let at = 0; at < 262; at += 1) await rig.ask(post(request('push', { at }), headers));
    const reader = new Reader(await rig.ask(listening(headers)));
    await reader.until('"at":261');
    expect(messagesIn(reader.text).map(({ params }) => (params as { at: number }).at)).toEqual(
      Array.from({ length: 256 }, (_, at) => at + 6),
    );
    await reader.leave();
  });

  it('row 38: there is one of it, and a second changes nothing for the first', async () => {
    rig = await serve();
    const headers = await greet(rig);
    const first = new Reader(await rig.ask(listening(headers)));
    const second = await rig.ask(listening(headers));
    expect(second.status).toBe(405);
    expect(second.headers.get('allow')).not.toContain('GET');
    await rig.ask(post(request('push'), headers));
    await first.until('pushed');
    await first.leave();
    await vi.waitFor(async () => expect((await rig.ask(listening(headers))).status).toBe(200));
  });
});

describe.each(rigs)('row 37: a session belongs to the principal that opened it, $name', ({ serve }) => {
  it('another caller with its id learns nothing and changes nothing', async () => {
    const rig = await serve({ authenticate: bearer({ ada: 'token-a', bob: 'token-b' }) });
    const ada = await greet(rig, '2025-11-25', { authorization: 'Bearer token-a' });
    const bob = { ...ada, authorization: 'Bearer token-b' };
    const unknown = { ...bob, 'mcp-session-id': 'unknown' };
    for (const init of [
      (headers: Record<string, string>) => post(request('echo'), headers),
      (headers: Record<string, string>) => listening(headers),
      (headers: Record<string, string>) => ({ method: 'DELETE', headers }),
    ]) {
      const [foreign, nobody] = [await rig.ask(init(bob)), await rig.ask(init(unknown))];
      expect(foreign.status).toBe(404);
      expect(await foreign.text()).toBe(await nobody.text());
      const names = (response: Response): string[] => [...response.headers.keys()];
      expect(names(foreign)).toEqual(names(nobody));
    }
    const [session] = rig.desk.sessions;
    expect(session?.received).toHaveLength(1);
    expect(session?.faults).toHaveLength(3);
    expect(JSON.stringify(session?.faults)).not.toContain('token');
    expect(session?.connection.traits.principal).toBe('ada');
    expect((await rig.ask(post(request('echo'), ada))).status).toBe(200);
    expect(session?.received.at(-1)?.arrival?.principal).toBe('ada');
    expect((await rig.ask(post(request('echo'), { ...ada, authorization: 'Bearer x' }))).status).toBe(401);
    await rig.close();
  });
});

describe.each(rigs)('without sessions $name', ({ serve }) => {
  it('every request stands for itself, a handshake too', async () => {
    const rig = await serve({ sessions: false });
    const opened = await rig.ask(post(request('initialize', { protocolVersion: '2025-06-18' })));
    expect(opened.headers.get('mcp-session-id')).toBeNull();
    const response = await rig.ask(post(request('echo'), { 'mcp-protocol-version': '2025-06-18' }));
    expect(response.status).toBe(200);
    expect(rig.desk.seen).toHaveLength(1);
    expect(rig.desk.sessionless?.received.at(-1)?.arrival).toMatchObject({ version: '2025-06-18' });
    await rig.ask(post(request('echo')));
    expect(rig.desk.sessionless?.received.at(-1)?.arrival).toMatchObject({ version: '2025-03-26' });
    expect((await rig.ask(post({ jsonrpc: '2.0', method: 'notifications/initialized' }))).status).toBe(202);
    expect((await rig.ask(post({ jsonrpc: '2.0', id: 1, result: {} }))).status).toBe(400);
    expect((await rig.ask(post(request('echo'), { 'mcp-session-id': 'old' }))).status).toBe(404);
    for (const method of ['GET', 'DELETE']) {
      const refused = await rig.ask({ ...listening({}), method });
      expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    }
    await rig.close();
  });
});
