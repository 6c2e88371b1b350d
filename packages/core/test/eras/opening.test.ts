import { describe, expect, it } from 'vitest';
import { memory } from '@rxmcp/memory';
import { defineClient, defineServer, offerMethod, offerNotification, once } from '../../src/index.js';
import type { ClientOptions } from '../../src/index.js';
import { sendAsk, defineOffer } from '../../src/internal.js';
import type { Frame, Pipe } from '../rig/pipe.js';
import { connected, lost, rawServer } from '../rig/raw-server.js';
import { turn, until } from '../rig/turn.js';

const greeting = {
  result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'r', version: '0' } },
};
const discovery = { result: { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: {} } };
const sent = (wire: Pipe | undefined) => (wire?.sent ?? []).map((f) => f.method);
type ScriptedResponse = object | undefined | ((frame: Frame, wire: Pipe) => void);

/** A server that answers the probe and the handshake as given. */
function opening(probe: ScriptedResponse, shake: ScriptedResponse = greeting, traits = {}) {
  return rawServer(
    (frame, wire, dial) => {
      const response =
        frame.method === 'server/discover' ? probe : frame.method === 'initialize' ? shake : undefined;
      if (typeof response === 'function')
        return void (response as (f: Frame, w: Pipe, d: number) => void)(frame, wire, dial);
      return response;
    },
    { era: 'own' },
    traits,
  );
}
const versionOf = async (server: ReturnType<typeof opening>, options: Partial<ClientOptions> = {}) =>
  (await connected(server, { probeTimeoutMs: 20, ...options })).version;

describe('a client that speaks both eras', () => {
  it('probes first, and needs nothing else with a modern server', async () => {
    const server = opening(discovery);
    expect(await versionOf(server)).toBe('2026-07-28');
    expect(sent(server.pipes[0])).toEqual(['server/discover']);
  });

  it.each([-32601, -32602, -32600, -32603, -32000, 0, 42])(
    'falls back on error %i, on the same pipe',
    async (code) => {
      const server = opening({ error: { code, message: 'what?' } });
      expect(await versionOf(server)).toBe('2025-11-25');
      expect(sent(server.pipes[0])).toEqual(['server/discover', 'initialize', 'notifications/initialized']);
    },
  );

  it.each<[string, ScriptedResponse]>([
    ['silence', undefined],
    ['a result that is no discovery', { result: { tools: [] } }],
    ['a response that breaks the protocol', { result: {}, error: { code: 1, message: 'x' } }],
    [
      'a discovery of older revisions only',
      { result: { supportedVersions: ['2025-11-25'], capabilities: {} } },
    ],
    [
      'a modern word that names older revisions only',
      { error: { code: -32022, message: 'x', data: { supported: ['2025-06-18'] } } },
    ],
  ])('falls back on %s', async (_what, probe) => {
    expect(await versionOf(opening(probe))).toBe('2025-11-25');
  });

  it('a late response to the probe counts until the handshake is done', async () => {
    const server = opening(undefined, (_frame, wire) => {
      const probe = wire.sent[0] as Frame;
      wire.put({ jsonrpc: '2.0', id: probe.id, ...discovery });
      wire.put({ jsonrpc: '2.0', id: wire.sent[1]?.id, ...greeting });
    });
    expect(await versionOf(server)).toBe('2026-07-28');
    await turn();
    expect(sent(server.pipes[0])).toEqual(['server/discover', 'initialize']);
  });

  it('a late response after the handshake is dropped', async () => {
    const server = opening(undefined);
    const remote = await connected(server, { probeTimeoutMs: 5 });
    const faults: unknown[] = [];
    remote.faults$.subscribe((f) => faults.push(f));
    server.pipes[0]?.put({ jsonrpc: '2.0', id: server.pipes[0].sent[0]?.id, ...discovery });
    await turn();
    expect([remote.version, faults]).toEqual(['2025-11-25', []]);
  });

  it('retries -32022 with a common version once, and never with a handshake', async () => {
    let probes = 0;
    const word = { error: { code: -32022, message: 'x', data: { supported: ['2026-07-28'] } } };
    const server = opening((frame: Frame, wire: Pipe) =>
      wire.put({ jsonrpc: '2.0', id: frame.id, ...(++probes === 1 ? word : discovery) }),
    );
    expect(await versionOf(server)).toBe('2026-07-28');
    const stubborn = opening(word);
    await expect(versionOf(stubborn)).rejects.toMatchObject({ code: -32022 });
    expect(sent(stubborn.pipes[0])).toEqual(['server/discover', 'server/discover']);
    expect(stubborn.pipes[0]?.closed).toBe(true);
  });

  it('a refused probe without a handshake to fall back to says whether a retry may help', async () => {
    const only = { versions: ['2026-07-28'] };
    const refusing = (error: object) => versionOf(opening({ error }), only);
    const busy = { code: -31001, message: 'full', data: { retryable: true, retryAfterMs: 5 } };
    await expect(refusing(busy)).rejects.toMatchObject({ code: -31001, retryable: true });
    const older = { code: -32601, message: 'what?' };
    await expect(refusing(older)).rejects.toMatchObject({
      code: 'NO_COMMON_VERSION',
      message: 'the client supports 2026-07-28; the server rejected "server/discover"',
      cause: { code: -32601 },
    });
  });

  it('a server that dies of the probe is dialled again, with the handshake only', async () => {
    const server = opening((_frame, wire) => wire.end(lost()));
    expect(await versionOf(server)).toBe('2025-11-25');
    expect(sent(server.pipes[1])).toEqual(['initialize', 'notifications/initialized']);
  });

  it('one that cannot be dialled again is not', async () => {
    const server = opening((_frame, wire) => wire.end(lost()), greeting, { redialable: false });
    await expect(versionOf(server)).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
    expect(server.pipes).toHaveLength(1);
  });

  it('an edge case: accepts an offered version it speaks, disconnects on another', async () => {
    const offering = (protocolVersion: string) =>
      opening({ error: { code: -32601, message: 'x' } }, { result: { ...greeting.result, protocolVersion } });
    expect(await versionOf(offering('2024-11-05'))).toBe('2024-11-05');
    const foreign = offering('1999-01-01');
    await expect(versionOf(foreign)).rejects.toMatchObject({
      code: 'NO_COMMON_VERSION',
      message: expect.stringMatching(/^the client supports 2026-.+-05; the server supports "1999-01-01"$/),
    });
    expect(foreign.pipes[0]?.closed).toBe(true);
  });

  it('fails after timeoutMs or when its signal aborts, and leaves nothing behind', async () => {
    const client = defineClient({ info: { name: 'c', version: '1' }, probeTimeoutMs: 5 });
    const server = opening(undefined, undefined);
    server.dial = server.dial.bind(server);
    const silent = rawServer(() => undefined, { era: 'own' });
    await expect(client.connect(silent, { timeoutMs: 30 })).rejects.toMatchObject({
      code: 'TIMEOUT',
      outcome: 'not-sent',
    });
    expect(silent.pipes[0]?.closed).toBe(true);
    const never = { name: 'never', dial: () => new Promise<never>(() => undefined) };
    await expect(client.connect(never, { signal: AbortSignal.abort(new Error('mine')) })).rejects.toThrow(
      'mine',
    );
  });
});

it('receives what a server sends together with the end of the opening', async () => {
  const heard: unknown[] = [];
  const server = opening((frame, wire) => {
    wire.put({ jsonrpc: '2.0', id: frame.id, ...discovery });
    wire.put({ jsonrpc: '2.0', method: 'x/news', params: { n: 1 } });
  });
  await connected(server, { offers: [offerNotification('x/news', (params) => void heard.push(params.n))] });
  expect(heard).toEqual([1]);
});

describe('rounds, as a client sees them', () => {
  const roots = defineOffer({
    name: 'roots',
    side: 'client',
    capabilities: { roots: {} },
    methods: [{ method: 'roots/list', handle: () => ({ roots: [] }) }],
  });
  const ask = { a: { method: 'roots/list' } };
  const asks = (state?: string, inputRequests: object | undefined = ask) => ({
    result: {
      resultType: 'input_required',
      ...(inputRequests && { inputRequests }),
      ...(state === undefined ? {} : { requestState: state }),
    },
  });
  const scripted = (...responses: object[]) => {
    let n = 0;
    return rawServer(() => responses[n++] ?? { result: { done: 1 } });
  };
  const go = async (server: ReturnType<typeof rawServer>) =>
    once((await connected(server, { offers: [roots] })).request('tools/call', { name: 'x' }));

  it('a new id each, the state of this round byte for byte, never an old one', async () => {
    const state = '{"odd":"\u00e9 =+/"}';
    const server = scripted(asks(state), asks(undefined), asks('', {}));
    expect(await go(server)).toMatchObject({ done: 1 });
    const calls = server.calls();
    expect(new Set(calls.map((f) => f.id)).size).toBe(4);
    expect(calls.map((f) => f.params?.['requestState'])).toEqual([undefined, state, undefined, '']);
    expect(calls[1]?.params).toMatchObject({ name: 'x', inputResponses: { a: { roots: [] } } });
    expect(calls[0]?.params).not.toHaveProperty('inputResponses');
  });

  it('row 52: ends after ten rounds', async () => {
    const server = scripted(...Array.from({ length: 20 }, () => asks('s')));
    await expect(go(server)).rejects.toMatchObject({ code: 'TOO_MANY_ROUNDS' });
    expect(server.calls()).toHaveLength(11);
  });

  it.each<[string, object]>([
    ['an unknown type', { result: { resultType: 'odd' } }],
    ['nothing asked and no state', { result: { resultType: 'input_required' } }],
    [
      'an unknown question',
      { result: { resultType: 'input_required', inputRequests: { a: { method: 'x/y' } } } },
    ],
    ['a state that is no string', { result: { resultType: 'input_required', requestState: 5 } }],
  ])('%s is not a valid result', async (_what, response) => {
    await expect(go(scripted(response))).rejects.toMatchObject({ code: 'INVALID_RESULT' });
  });

  it('an ask without a handler here ends the call, without a retry', async () => {
    const server = scripted(asks('s', { a: { method: 'sampling/createMessage' } }));
    await expect(go(server)).rejects.toMatchObject({ code: 'ASK_REJECTED' });
    expect(server.calls()).toHaveLength(1);
  });

  it('closing the remote, or leaving, ends a call whose user is being asked', async () => {
    const aborted: string[] = [];
    const slow = defineOffer({
      name: 'roots',
      side: 'client',
      capabilities: { roots: {} },
      methods: [
        {
          method: 'roots/list',
          handle: (_params, ctx) => {
            ctx.signal.addEventListener('abort', () => aborted.push('aborted'));
            return new Promise<never>(() => undefined);
          },
        },
      ],
    });
    const server = scripted(asks('s'), asks('s'));
    const remote = await connected(server, { offers: [slow] });
    const left = remote.request('tools/call').subscribe();
    const ends: unknown[] = [];
    remote.request('tools/call').subscribe({ error: (e: { code: string }) => ends.push(e.code) });
    await turn();
    left.unsubscribe();
    expect(aborted).toHaveLength(1);
    await remote.close();
    expect(ends).toEqual(['CLOSED']);
    expect(aborted).toHaveLength(2);
  });
});

describe('one handler in all five revisions', () => {
  const versions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];
  it.each(versions)('%s: asks, notifies and is answered', async (version) => {
    const link = memory();
    const asking = defineOffer({
      name: 'tools',
      side: 'server',
      capabilities: { tools: {} },
      methods: [
        {
          method: 'tools/call',
          handle: async (_params, ctx) => {
            const worked = await ctx.step('work', () => 1);
            const roots = await sendAsk(ctx, 'r', { method: 'roots/list', needs: { roots: {} } });
            ctx.notify('x/note', { worked });
            const own = await ctx.request('x/own').catch((e: { code: unknown }) => e.code);
            return { roots, own };
          },
        },
      ],
    });
    link.serve(
      defineServer({
        info: { name: 's', version: '1' },
        offers: [asking, offerMethod('x/echo', {}, (p) => ({ p }))],
      }),
    );
    const notes: unknown[] = [];
    const remote = await connected(link, {
      versions: [version],
      offers: [
        defineOffer({
          name: 'roots',
          side: 'client',
          capabilities: { roots: {} },
          methods: [{ method: 'roots/list', handle: () => ({ roots: ['r'] }) }],
        }),
        offerNotification('x/note', (params) => void notes.push(params.worked)),
        offerMethod('x/own', {}, () => ({ mine: 1 })),
      ],
    });
    const own = version === '2026-07-28' ? 'ASK_UNAVAILABLE' : { mine: 1 };
    expect(await once(remote.request('tools/call', { name: 'x' }))).toMatchObject({
      roots: { roots: ['r'] },
      own,
    });
    await until(() => notes.length > 0);
    expect(notes).toEqual([1]);
  });
});
