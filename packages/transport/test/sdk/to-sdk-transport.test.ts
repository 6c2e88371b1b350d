import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Bare } from './bare.js';
import { type Connection, type Transport, TransportError } from '../../src/index.js';
import { sdkConnectionHandler, type SdkTransport, toSdkTransport } from '../../src/sdk.js';

const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping', params: {} }) as const;

interface Told {
  readonly messages: unknown[];
  readonly errors: Error[];
  closes: number;
}

function listening(transport: SdkTransport): Told {
  const told: Told = { messages: [], errors: [], closes: 0 };
  transport.onmessage = (message) => void told.messages.push(message);
  transport.onerror = (error) => void told.errors.push(error);
  transport.onclose = () => void (told.closes += 1);
  return told;
}

async function started(bare = new Bare(), dials = true) {
  const transport = toSdkTransport(dials ? { name: 'bare', dial: async () => bare } : bare);
  const told = listening(transport);
  await transport.start();
  return { bare, transport, told };
}

describe('connecting', () => {
  test('a dial that fails is reported to onerror and rejected', async () => {
    const failure = new TransportError('DIAL_FAILED', 'no server', { outcome: 'not-sent' });
    const transport = toSdkTransport({ name: 'none', dial: () => Promise.reject(failure) });
    const told = listening(transport);
    await expect(transport.start()).rejects.toBe(failure);
    expect(told).toMatchObject({ errors: [failure], closes: 0 });
  });

  test('it starts once, and sends nothing before', async () => {
    const bare = new Bare();
    const transport = toSdkTransport(bare);
    const told = listening(transport);
    await expect(transport.send(ping(1))).rejects.toMatchObject({ code: 'CLOSED', outcome: 'not-sent' });
    expect(told.errors).toHaveLength(1);
    await transport.start();
    await expect(transport.start()).rejects.toThrow(TypeError);
  });

  test('a close while it dials aborts the dial, and closes a connection that opens anyway', async () => {
    const bare = new Bare();
    let connected = (_: Connection): void => undefined;
    const dialling: Transport = {
      name: 'slow',
      dial: () => new Promise((resolve) => (connected = resolve)),
    };
    const transport = toSdkTransport(dialling);
    const told = listening(transport);
    const starting = transport.start();
    await transport.close();
    connected(bare);
    await expect(starting).rejects.toMatchObject({ code: 'DIAL_ABORTED' });
    expect([bare.closes, told.closes]).toEqual([1, 1]);
  });

  test('a connection that many clients share is refused', () => {
    expect(() => toSdkTransport(new Bare({ idScope: 'lane' }))).toThrow(TypeError);
  });
});

describe('while it is open', () => {
  test('messages come one by one, those of a batch too', async () => {
    const { bare, told } = await started();
    bare.receiver?.received(ping(1));
    bare.receiver?.received([ping(2), ping(3)]);
    bare.receiver?.received(null);
    expect(told.messages).toEqual([ping(1), ping(2), ping(3)]);
  });

  test('a send that fails is reported to onerror and rejected', async () => {
    const { bare, transport, told } = await started();
    bare.failure = new TransportError('SEND_FAILED', 'full', { outcome: 'not-sent' });
    await expect(transport.send(ping(1))).rejects.toBe(bare.failure);
    expect(told.errors).toEqual([bare.failure]);
    bare.failure = undefined;
    transport.setProtocolVersion?.('2025-11-25');
    await transport.send(ping(2));
    expect(bare.sent).toEqual([[ping(2), { version: '2025-11-25' }]]);
  });

  test('a fault is reported to onerror; the serving side answers what it could not read', async () => {
    const reply = { error: { code: -32700, message: 'no JSON' } };
    const fault = new TransportError('PARSE_ERROR', 'no JSON', { reply });
    const dialled = await started();
    dialled.bare.receiver?.fault(fault);
    expect([dialled.told.errors, dialled.bare.sent]).toEqual([[fault], []]);
    const served = await started(new Bare(), false);
    served.bare.receiver?.fault(fault);
    expect(served.told.errors).toEqual([fault]);
    expect(served.bare.sent).toEqual([[{ jsonrpc: '2.0', ...reply }, undefined]]);
  });

  test('an end is reported once, its cause before it', async () => {
    const { bare, transport, told } = await started();
    const loss = new TransportError('CONNECTION_LOST', 'cut');
    bare.receiver?.closed(loss);
    await transport.close();
    expect(told).toMatchObject({ errors: [loss], closes: 1 });
  });

  test('nothing is reported after the end, nor after a close that has begun', async () => {
    const lost = await started();
    lost.bare.receiver?.closed();
    lost.bare.failure = new TransportError('CLOSED', 'over');
    await expect(lost.transport.send(ping(1))).rejects.toBe(lost.bare.failure);
    const { bare, transport, told } = await started();
    bare.close = async () => bare.receiver?.closed(new TransportError('CONNECTION_LOST', 'cut'));
    await transport.close();
    expect([lost.told, told]).toMatchObject([
      { errors: [], closes: 1 },
      { errors: [], closes: 1 },
    ]);
  });

  test('callbacks that throw while an error is reported change nothing', async () => {
    const { bare, transport } = await started();
    transport.onerror = () => {
      throw new Error('mine');
    };
    bare.receiver?.fault(new TransportError('UNEXPECTED_OUTPUT', 'x'));
    bare.failure = new TransportError('SEND_FAILED', 'full');
    await expect(transport.send(ping(1))).rejects.toBe(bare.failure);
  });
});

describe('where every request has a lane of its own', () => {
  const perRequest = { lanes: 'per-request' } as const;

  test('a request opens a lane; one that ends without a response is reported', async () => {
    const { bare, transport, told } = await started(new Bare(perRequest));
    expect(transport).toMatchObject({ hasPerRequestStream: true });
    const abort = new AbortController();
    let ended = 0;
    await transport.send(ping(1), { requestSignal: abort.signal });
    await transport.send(ping(2), { onRequestStreamEnd: () => void (ended += 1) });
    await transport.send(ping(3));
    const [one, two, three] = bare.sent.map(([, envelope]) => envelope);
    expect(one?.signal).toBe(abort.signal);
    expect(new Set([one?.lane, two?.lane, three?.lane]).size).toBe(3);
    bare.receiver?.received({ jsonrpc: '2.0', id: 1, result: {} }, { lane: one?.lane as object });
    for (const envelope of [one, two, three]) bare.receiver?.laneClosed(envelope?.lane as object);
    expect([ended, told.errors.length]).toEqual([1, 1]);
    expect(told.errors).toMatchObject([{ code: 'CONNECTION_LOST' }]);
  });

  test('a response and related messages are sent in the lane of the request, and an opening is marked', async () => {
    const { bare, transport } = await started(new Bare(perRequest), false);
    const lane = {};
    bare.receiver?.received({ ...ping(1), method: 'initialize' }, { lane });
    await transport.send({ jsonrpc: '2.0', method: 'note' }, { relatedRequestId: 1 });
    await transport.send({ jsonrpc: '2.0', id: 1, result: {} });
    await transport.send({ jsonrpc: '2.0', method: 'note' });
    await transport.send(ping(1));
    const envelopes = bare.sent.map(([, envelope]) => envelope);
    expect(envelopes).toEqual([{ lane }, { lane, completesHandshake: true }, {}, {}]);
    expect(envelopes[0]?.lane).toBe(lane);
  });
});

describe('where headers are sent with requests', () => {
  const mirrors = { lanes: 'per-request', carriesHeaders: true } as const;
  const version = '2026-07-28';
  const _meta = { 'io.modelcontextprotocol/protocolVersion': version };
  const read = { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: 'a://b', _meta } };

  test('it is read off the body of a modern request, and off the headers of its parameters', async () => {
    const { bare, transport } = await started(new Bare(mirrors));
    const headers = { 'Mcp-Param-Region': '=?base64?w7w=?=', 'mcp-param-size': '4', 'x-mine': 'no' };
    await transport.send(read, { headers });
    const mirror = { version, method: read.method, name: 'a://b', 'param.Region': 'ü', 'param.size': '4' };
    expect(bare.sent[0]?.[1]).toMatchObject({ version, headers: mirror });
  });

  test('a method without a name has no name there, whatever its parameters are called', async () => {
    const { bare, transport } = await started(new Bare(mirrors));
    await transport.send({ ...read, method: 'tools/list', params: { '': 'surprise', name: 'x', _meta } });
    expect(bare.sent[0]?.[1]?.headers).toEqual({ version, method: 'tools/list' });
  });

  test('there is nothing for an older request, a response, a served connection or a pipe', async () => {
    const dialled = await started(new Bare(mirrors));
    await dialled.transport.send(ping(1));
    await dialled.transport.send({ jsonrpc: '2.0', id: 1, result: {} });
    const served = await started(new Bare(mirrors), false);
    const pipe = await started();
    for (const { transport } of [served, pipe]) await transport.send(read);
    const envelopes = [dialled, served, pipe].flatMap(({ bare }) => bare.sent.map(([, beside]) => beside));
    expect(envelopes).toHaveLength(4);
    for (const envelope of envelopes) expect(envelope).not.toHaveProperty('mirror');
  });

  test('the notification that ends an opening is marked', async () => {
    const { bare, transport } = await started(new Bare(mirrors));
    await transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect(bare.sent[0]?.[1]).toEqual({ completesHandshake: true });
  });
});

describe('an acceptor for official servers', () => {
  test('hands each connection to a server of its own, and ends with it', async () => {
    const bare = new Bare();
    const got: SdkTransport[] = [];
    const served = sdkConnectionHandler(async (transport) => {
      got.push(transport);
      await transport.start();
    }).accept(bare);
    await Promise.resolve();
    expect([got.length, bare.receiver === undefined]).toEqual([1, false]);
    await served.drain({ timeoutMs: 10 });
    await served.closed;
    expect(bare.closes).toBe(1);
  });

  const warnings = () => {
    const warned = vi.spyOn(console, 'warn').mockReturnValue(undefined);
    onTestFinished(() => warned.mockRestore());
    return warned.mock.calls;
  };

  test('closes a client whose server does not connect, and prints the first reason', async () => {
    const printed = warnings();
    const bares = [new Bare(), new Bare()];
    const handler = sdkConnectionHandler(() => Promise.reject(new Error('no "DATABASE_URL"\n')));
    for (const bare of bares) await handler.accept(bare).closed;
    expect(bares.map(({ closes }) => closes)).toEqual([1, 1]);
    expect(printed).toEqual([
      [
        'rxmcp sdkConnectionHandler: `connect` failed: no "DATABASE_URL"\\u000a (later failures are not printed)',
      ],
    ]);
  });

  test('prints nothing where the connection was closed while its server connected', async () => {
    const printed = warnings();
    const bare = new Bare();
    const served = sdkConnectionHandler((transport) => transport.start()).accept(bare);
    await served.drain({ timeoutMs: 10 });
    await served.closed;
    expect([bare.closes > 0, printed]).toEqual([true, []]);
  });

  test('closes a client whose server cannot be made', async () => {
    warnings();
    const bare = new Bare();
    const makeServer = (): { connect(transport: SdkTransport): Promise<void> } => {
      throw new Error('no database');
    };
    const served = sdkConnectionHandler((transport) => makeServer().connect(transport)).accept(bare);
    await served.closed;
    expect(bare.closes).toBe(1);
  });
});
