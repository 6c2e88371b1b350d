import { EncodedMessage, encode, type JsonRpcRequest } from '@rxmcp/jsonrpc';
import { describe, expect, test } from 'vitest';
import { TransportError } from '../../src/index.js';
import { fromSdkTransport, type SdkTransport, serveSdkTransport } from '../../src/sdk.js';
import { heard } from './received.js';

const ping = (id: number, params = {}): JsonRpcRequest => ({ jsonrpc: '2.0', id, method: 'ping', params });
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A transport written as in a guide, with all calls that it received. */
class Written implements SdkTransport {
  onmessage?: (message: unknown, extra?: unknown) => void;
  onerror?: (error: Error) => void;
  onclose?: () => void;
  readonly sent: unknown[] = [];
  readonly versions: string[] = [];
  closes = 0;
  start = async (): Promise<void> => undefined;

  async send(message: unknown): Promise<void> {
    this.sent.push(message);
  }

  async close(): Promise<void> {
    this.closes += 1;
    this.onclose?.();
  }

  setProtocolVersion = (version: string): void => void this.versions.push(version);
}

async function dialled(written = new Written()) {
  const connection = await fromSdkTransport(() => written).dial();
  const near = heard();
  connection.start(near);
  return { written, connection, near };
}

describe('dialling', () => {
  test('what start rejects with is DIAL_FAILED, and the transport is closed', async () => {
    const written = new Written();
    written.start = () => Promise.reject(new Error('no such server'));
    const dialling = fromSdkTransport(() => written).dial();
    await expect(dialling).rejects.toMatchObject({
      code: 'DIAL_FAILED',
      outcome: 'not-sent',
      message: 'no such server',
    });
    expect(written.closes).toBe(1);
  });

  test('so is an error of the function', async () => {
    const transport = fromSdkTransport(() => {
      throw new Error('no port');
    });
    await expect(transport.dial()).rejects.toMatchObject({ code: 'DIAL_FAILED', message: 'no port' });
  });

  test('an abort ends a start that hangs, and closes it', async () => {
    const written = new Written();
    written.start = () => new Promise(() => undefined);
    const abort = new AbortController();
    const dialling = fromSdkTransport(() => written).dial({ signal: abort.signal });
    queueMicrotask(() => abort.abort());
    await expect(dialling).rejects.toMatchObject({ code: 'DIAL_ABORTED' });
    expect(written.closes).toBe(1);
  });

  test('an abort does not wait for one that is still made, and closes it without starting it', async () => {
    const written = new Written();
    const starts: number[] = [];
    written.start = async () => void starts.push(1);
    let make = (_transport: SdkTransport): void => undefined;
    const making = new Promise<SdkTransport>((resolve) => (make = resolve));
    const abort = new AbortController();
    const dialling = fromSdkTransport(() => making).dial({ signal: abort.signal });
    abort.abort();
    await expect(dialling).rejects.toMatchObject({ code: 'DIAL_ABORTED', outcome: 'not-sent' });
    make(written);
    await turn();
    expect([starts, written.closes]).toEqual([[], 1]);
  });

  test('a transport that is given itself is dialled once', async () => {
    const transport = fromSdkTransport(new Written(), { name: 'mine' });
    expect((await transport.dial()).traits.redialable).toBe(false);
    await expect(transport.dial()).rejects.toMatchObject({ code: 'DIAL_FAILED' });
    expect(transport.name).toBe('mine');
  });
});

describe('messages', () => {
  test('that come before the connection is started are delivered after it in order', async () => {
    const written = new Written();
    written.start = async () => {
      written.onmessage?.(ping(1));
      written.onmessage?.(ping(2));
    };
    const { near } = await dialled(written);
    await turn();
    expect(near.messages).toEqual([ping(1), ping(2)]);
  });

  test.each([
    [4_096, 'are kept', []],
    [4_097, 'end it in OVERFLOW', [{ code: 'OVERFLOW' }]],
  ])('of %i that come before the start, all %s', async (length, _what, ends) => {
    const written = new Written();
    written.start = async () => {
      for (let id = 1; id <= length; id += 1) written.onmessage?.(ping(id));
    };
    const { near } = await dialled(written);
    await turn();
    expect(near.ends).toMatchObject(ends);
    expect([near.messages.length, written.closes]).toEqual(ends.length === 0 ? [length, 0] : [0, 1]);
  });

  test('an end and its cause come after all buffered messages', async () => {
    const written = new Written();
    written.start = async () => {
      for (let id = 1; id < 4_096; id += 1) written.onmessage?.(ping(id));
      written.onerror?.(new Error('cut'));
      written.onclose?.();
      written.onerror?.(new Error('late'));
    };
    const { near } = await dialled(written);
    await turn();
    expect([near.messages.length, near.faults.length, written.closes]).toEqual([4_095, 1, 0]);
    expect(near.ends).toMatchObject([{ code: 'CONNECTION_LOST', message: 'cut' }]);
  });

  test('a response over the limits names the request that it answers', async () => {
    const { written, near } = await dialled();
    written.onmessage?.({ jsonrpc: '2.0', id: 7, result: { many: new Array(200_000).fill(0) } });
    await turn();
    expect(near.faults).toMatchObject([{ code: 'INVALID_MESSAGE', details: { respondsTo: 7 } }]);
  });

  test('are copies, and never come inside the call that brings them', async () => {
    const { written, connection, near } = await dialled();
    const params = { list: [1] };
    await connection.send(ping(1, params));
    await connection.send(new EncodedMessage(encode(ping(2))));
    written.onmessage?.(ping(3, params));
    expect(near.messages).toEqual([]);
    params.list.push(2);
    await turn();
    expect([...written.sent, ...near.messages]).toEqual([
      ping(1, { list: [1] }),
      ping(2),
      ping(3, { list: [1] }),
    ]);
  });

  test('row 19: nested without end they are a fault', async () => {
    const { written, near } = await dialled();
    let deep: unknown = [];
    for (let step = 0; step < 10_000; step += 1) deep = [deep];
    written.onmessage?.({ jsonrpc: '2.0', method: 'm', params: deep });
    written.onmessage?.(ping(1));
    await turn();
    expect(near.messages).toEqual([ping(1)]);
    expect(near.faults).toMatchObject([{ code: 'INVALID_MESSAGE', reply: { error: { code: -32600 } } }]);
  });

  test('two sides that answer each other at once leave timers their turn', async () => {
    const written = new Written();
    let rounds = 0;
    written.send = async () => {
      rounds += 1;
      written.onmessage?.(ping(rounds));
    };
    const connection = await fromSdkTransport(() => written).dial();
    connection.start({ ...heard(), received: () => void connection.send(ping(0)).catch(() => undefined) });
    void connection.send(ping(0));
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(rounds).toBeGreaterThan(1_024);
    await connection.close();
  });

  test('the agreed revision is passed once', async () => {
    const { written, connection } = await dialled();
    for (const version of ['2025-06-18', '2025-06-18', '2025-11-25'])
      await connection.send(ping(1), { version });
    expect(written.versions).toEqual(['2025-06-18', '2025-11-25']);
  });

  test('an authenticated client is the principal of its messages, with scopes and claims', async () => {
    const written = new Written();
    const seen: unknown[] = [];
    const handle = serveSdkTransport(
      {
        accept(connection) {
          const closed = new Promise<void>((resolve) =>
            connection.start({
              ...heard(),
              received: (_message, arrival) => void seen.push(arrival),
              closed: () => resolve(),
            }),
          );
          return { drain: async () => undefined, closed };
        },
      },
      written,
    );
    const authInfo = { clientId: 'ada', token: 'secret', scopes: ['read'], extra: { tenant: 'acme' } };
    written.onmessage?.(ping(1), { authInfo });
    written.onmessage?.(ping(2), { authInfo: { clientId: 'ada', scopes: 'read' } });
    written.onmessage?.(ping(3), {});
    await turn();
    const ada = { principal: 'ada', scopes: ['read'], claims: { tenant: 'acme' } };
    expect(seen).toEqual([ada, { principal: 'ada' }, undefined]);
    await handle.close();
    expect(written.closes).toBe(1);
  });
});

describe('failures', () => {
  test('a served transport that cannot be started ends its connection', async () => {
    const written = new Written();
    written.start = () => Promise.reject(new Error('no stdin'));
    const near = heard();
    const never = new Promise<void>(() => undefined);
    serveSdkTransport(
      { accept: (connection) => (connection.start(near), { drain: () => never, closed: never }) },
      written,
    );
    await turn();
    expect(near.ends).toMatchObject([{ code: 'DIAL_FAILED', message: 'no stdin' }]);
  });

  test('what send rejects with is SEND_FAILED, and the connection lives', async () => {
    const { written, connection, near } = await dialled();
    const send = written.send.bind(written);
    written.send = () => Promise.reject(new Error('the line is dead'));
    await expect(connection.send(ping(1))).rejects.toMatchObject({
      code: 'SEND_FAILED',
      outcome: 'unknown',
      message: 'the line is dead',
    });
    written.send = send;
    await connection.send(ping(2));
    expect([written.sent, near.ends]).toEqual([[ping(2)], []]);
  });

  test('an error of onerror is a fault; with onclose after it, the cause of the end', async () => {
    const { written, near } = await dialled();
    const parse = new SyntaxError('Unexpected token');
    written.onerror?.(parse);
    written.onerror?.(new Error('something else'));
    written.onmessage?.(ping(1));
    written.onerror?.(new Error('reset'));
    written.onclose?.();
    written.onclose?.();
    written.onmessage?.(ping(2));
    await turn();
    expect(near.faults.map(({ code }) => code)).toEqual([
      'PARSE_ERROR',
      'INVALID_MESSAGE',
      'INVALID_MESSAGE',
    ]);
    expect(near.faults[0]?.reply).toMatchObject({ error: { code: -32700 } });
    expect(near.ends).toMatchObject([{ code: 'CONNECTION_LOST', message: 'reset' }]);
    expect(near.ends[0]).toBeInstanceOf(TransportError);
    expect(near.messages).toEqual([ping(1)]);
  });

  test('an end without an earlier error is in order', async () => {
    const { written, connection, near } = await dialled();
    written.onclose?.();
    await turn();
    expect(near.ends).toEqual([undefined]);
    await expect(connection.send(ping(1))).rejects.toMatchObject({ code: 'CLOSED', outcome: 'not-sent' });
  });
});
