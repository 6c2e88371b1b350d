import { once } from 'rxmcp';
import { offerElicitation } from 'rxmcp/elicitation';
import { http } from 'rxmcp/http';
import { tools } from 'rxmcp/tools';
import { describe, expect } from 'vitest';
import { clause } from './stage/clause.js';
import { legacy, modern } from './stage/frame.js';
import type { Reply, Request } from './stage/http-script.js';
import { httpScript } from './stage/http-script.js';
import { clientOf } from './stage/raw-server.js';
import { until } from './stage/turn.js';

const done = { content: [{ type: 'text', text: 'done' }] };

/** Serves a session of a revision; `call` is what it says to a call of a tool. */
function session(version: string, call: (request: Request) => Reply | undefined) {
  let sessions = 0;
  return (request: Request): Reply | undefined => {
    const { method, frame } = request;
    if (method !== 'POST') return { status: method === 'GET' ? 405 : 200 };
    if (frame.method === 'server/discover') return { status: 400 };
    if (frame.method === 'initialize') {
      sessions += 1;
      const serverInfo = { name: 'raw', version: '0' };
      const result = { protocolVersion: version, capabilities: { tools: {} }, serverInfo };
      const headers = { 'mcp-session-id': `session-${sessions}` };
      return { headers, body: { jsonrpc: '2.0', id: frame.id, result } };
    }
    return frame.id === undefined || frame.method === undefined ? { status: 202 } : call(request);
  };
}

describe.each(legacy.slice(0, 3))('a client of %s over Streamable HTTP', (version) => {
  clause(
    ['11/transports/15', '11/transports/19', '11/transports/29', '03/transports/13'],
    'posts one message at a time, asks for events with a get, and reads JSON and streams',
    async () => {
      let streams = false;
      const { url, requests } = await httpScript(
        session(version, ({ frame }) => {
          const response = { jsonrpc: '2.0', id: frame.id, result: done };
          return { body: streams ? `event: message\ndata: ${JSON.stringify(response)}\n\n` : response };
        }),
      );
      const { remote } = await clientOf({ transport: http(url) });
      for (streams of [false, true]) {
        expect(await once(tools(remote).call('x'))).toMatchObject(done);
      }
      await until(() => requests.some(({ method }) => method === 'GET'));
      for (const { headers } of requests.filter(({ method }) => method === 'GET')) {
        expect(headers.accept?.split(/, */)).toContain('text/event-stream');
      }
      const bodies = requests.filter(({ method }) => method === 'POST').map(({ frame }) => frame);
      expect(bodies.length).toBeGreaterThan(3);
      for (const body of bodies) expect(body).toMatchObject({ jsonrpc: '2.0', method: expect.any(String) });
    },
  );

  clause(['11/transports/28'], 'sends that it cancels', async () => {
    const { url, requests } = await httpScript(session(version, () => undefined));
    const { remote } = await clientOf({ transport: http(url) });
    const call = tools(remote).call('slow').subscribe();
    const asked = await until(() => requests.find(({ frame }) => frame.method === 'tools/call'));
    call.unsubscribe();
    const told = await until(() => requests.find(({ frame }) => frame.method === 'notifications/cancelled'));
    expect(told.frame.params?.['requestId']).toBe(asked.frame.id);
  });

  clause(
    ['11/transports/45', '11/transports/41'],
    'begins a new session when its session has ended, and sends the id to no other place',
    async () => {
      let gone = true;
      const { url, requests } = await httpScript(
        session(version, ({ frame, headers }) => {
          if (gone && headers['mcp-session-id'] === 'session-1') return { status: 404 };
          return { body: { jsonrpc: '2.0', id: frame.id, result: done } };
        }),
      );
      const { remote, faults } = await clientOf({ transport: http(url) });
      const error: unknown = await once(tools(remote).call('x')).catch((failure: unknown) => failure);
      expect(JSON.stringify([String(error), faults])).not.toContain('session-1');
      gone = false;
      expect(await once(tools(remote).call('x'))).toMatchObject(done);
      const greetings = requests.filter(({ frame }) => frame.method === 'initialize');
      expect(greetings).toHaveLength(2);
      expect(greetings.map(({ headers }) => headers['mcp-session-id'])).toEqual([undefined, undefined]);
      expect(requests.at(-1)?.headers['mcp-session-id']).toBe('session-2');
    },
  );
});

describe('a client that probes over Streamable HTTP', () => {
  clause(['26/streamable-http/67'], 'reads a 400 before it falls back', async () => {
    const probed = async (error: object | undefined): Promise<string[]> => {
      const handshake = session('2025-11-25', () => undefined);
      const { url, requests } = await httpScript((request) => {
        const { method, id } = request.frame;
        if (method !== 'server/discover' || error === undefined) return handshake(request);
        return { status: 400, body: { jsonrpc: '2.0', id, error } };
      });
      await clientOf({ transport: http(url) }).catch(() => undefined);
      return requests.map(({ frame }) => String(frame.method));
    };
    expect(await probed(undefined)).toContain('initialize');
    const data = { supported: ['3000-01-01'], requested: modern };
    expect(await probed({ code: -32022, message: 'not this', data })).not.toContain('initialize');
    expect(await probed({ code: -32020, message: 'not these headers' })).not.toContain('initialize');
    const requiredCapabilities = { roots: {} };
    expect(await probed({ code: -32021, message: 'more', data: { requiredCapabilities } })).not.toContain(
      'initialize',
    );
  });
});

describe('a client that is asked to open a page', () => {
  clause(['26/elicitation/33'], 'fetches neither it nor any part of it', async () => {
    const page = await httpScript(() => ({ status: 200 }));
    const shown: string[] = [];
    const offers = [
      offerElicitation({
        url: (request) => {
          shown.push(request.url);
          return { action: 'accept' };
        },
      }),
    ];
    let asked = 0;
    const { url } = await httpScript(({ frame }) => {
      const answer = (result: object): Reply => ({ body: { jsonrpc: '2.0', id: frame.id, result } });
      if (frame.method === 'server/discover') {
        const capabilities = { tools: {} };
        return answer({ resultType: 'complete', supportedVersions: [modern], capabilities });
      }
      asked += 1;
      if (asked === 2) return answer({ resultType: 'complete', ...done });
      const params = { mode: 'url', message: 'Look', url: page.url };
      const inputRequests = { look: { method: 'elicitation/create', params } };
      return answer({ resultType: 'input_required', inputRequests, requestState: 's' });
    });
    const { remote } = await clientOf({ transport: http(url) }, { offers });
    await once(tools(remote).call('x'));
    expect(shown).toEqual([page.url]);
    expect(page.requests).toEqual([]);
  });
});
