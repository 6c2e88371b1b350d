import type { ConnectionHandler } from '@rxmcp/transport';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { fetchHandler } from '../../../src/fetch.js';
import { messagesIn, modern, post, request, until } from '../calls.js';
import { Desk } from '../desk.js';
import { greet, Reader, rigs } from '../fixtures.js';

const initialize = (params: object = {}): RequestInit =>
  post(request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, ...params }));

describe.each(rigs)('an opening $name', ({ serve }) => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
  afterEach(() => void vi.useRealTimers());

  it('that takes so long that its response becomes a stream still begins a session', async () => {
    const rig = await serve();
    onTestFinished(() => rig.close());
    const asked = rig.ask(initialize({ hold: true }));
    await until(() => rig.desk.holding === 1);
    await vi.advanceTimersByTimeAsync(12_000);
    const response = await asked;
    const id = response.headers.get('mcp-session-id') ?? '';
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const headers = { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' };
    // The session begins with its response.
    expect((await rig.ask(post(request('echo'), headers))).status).toBe(404);
    rig.desk.release();
    expect(messagesIn(await new Reader(response).rest())).toMatchObject([
      { result: { protocolVersion: '2025-11-25' } },
    ]);
    expect((await rig.ask(post(request('echo'), headers))).status).toBe(200);
  });

  it('that is refused is answered, and begins none', async () => {
    const rig = await serve();
    onTestFinished(() => rig.close());
    const response = await rig.ask(initialize({ refuse: true }));
    expect(await response.json()).toMatchObject({ error: { code: -32602 } });
    expect(response.headers.get('mcp-session-id')).toBeNull();
    await until(() => rig.desk.sessions[0]?.closed === null);
  });
});

it('an acceptor that closes a connection at once leaves nothing behind, and the next is taken', async () => {
  const desk = new Desk();
  let turnedAway = 0;
  const once = (idScope: string): ConnectionHandler['accept'] => {
    let isFirst = true;
    return (connection) => {
      if (isFirst && connection.traits.idScope === idScope) {
        isFirst = false;
        turnedAway += 1;
        void connection.close();
      }
      return desk.accept(connection);
    };
  };
  const [session, alone] = [once('connection'), once('lane')];
  const acceptor: ConnectionHandler = {
    accept: (connection) => (connection.traits.idScope === 'lane' ? alone : session)(connection),
  };
  const handler = fetchHandler(acceptor, { maxSessions: 1 });
  onTestFinished(() => handler.close());
  const ask = (init: RequestInit): Promise<Response> => handler(new Request('http://localhost/mcp', init));
  const refused = await ask(initialize());
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  await greet({ desk, ask: (init = {}) => ask(init), drain: handler.drain, close: handler.close });
  expect((await ask(modern('echo'))).status).toBe(503);
  expect((await ask(modern('echo'))).status).toBe(200);
  expect(turnedAway).toBe(2);
});
