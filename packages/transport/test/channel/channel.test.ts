import { encode, EncodedMessage } from '@rxmcp/jsonrpc';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  acceptedImmediately,
  createConnection,
  createValueConnection,
  pipeTraits,
  TransportError,
} from '../../src/index.js';
import { listener, note, rig, turn } from '../loop.js';

afterEach(() => void vi.useRealTimers());

describe('delivery', () => {
  test('never inside start, and in order', async () => {
    const { heard, sink } = rig({
      start(to) {
        to.text(encode(note(1)));
        to.fault(new TransportError('UNEXPECTED_OUTPUT', 'x'));
        to.text(encode(note(2)));
      },
    });
    expect(heard.log).toEqual([]);
    sink().text(encode(note(3)));
    expect(heard.log).toEqual([]);
    await turn();
    expect(heard.log).toEqual(['received', 'fault', 'received', 'received']);
    sink().text(encode(note(4)));
    expect(heard.messages).toEqual([note(1), note(2), note(3), note(4)]);
  });

  test('never inside send', async () => {
    const { connection, heard, sink } = rig({ send: (text) => sink().text(text) });
    expect(connection.send(note(1))).toBe(acceptedImmediately);
    expect(heard.messages).toEqual([]);
    await turn();
    expect(heard.messages).toEqual([note(1)]);
  });

  test('a carrier that ends inside start reports it afterwards, last', async () => {
    const { heard } = rig({ start: (to) => (to.closed(), to.text(encode(note(1)))) });
    await turn();
    expect(heard.log).toEqual(['closed']);
  });

  test('a carrier that throws in start is lost', async () => {
    const { heard } = rig({
      start() {
        throw new Error('no');
      },
    });
    await turn();
    expect(heard.ends).toMatchObject([{ code: 'CONNECTION_LOST', message: 'no' }]);
  });

  test.each<[string, unknown]>([
    ['"start", "send", "close"', () => undefined],
    ['"start", "send", "close"', null],
    ['"send"', { start: () => undefined, close: () => undefined }],
    ['"close"', () => ({ start: () => undefined, send: () => undefined, close: 1 })],
  ])('a carrier without %s is a mistake that is named', (missing, carrier) => {
    const message = `a channel needs "start", "send" and "close"; this one lacks ${missing}`;
    for (const make of [createConnection, createValueConnection]) {
      expect(() => make(carrier as never, pipeTraits)).toThrow(new TypeError(message));
    }
  });

  test('a second start is a mistake', () => {
    const { connection } = rig();
    expect(() => connection.start(listener())).toThrow(TypeError);
  });
});

describe('unreadable text', () => {
  test.each([
    ['{', 'PARSE_ERROR', -32700],
    ['['.repeat(200) + ']'.repeat(200), 'INVALID_MESSAGE', -32600],
    ['{"jsonrpc":"2.0","id":7,"id":8,"method":"m"}', 'INVALID_MESSAGE', -32600],
  ])('%.20s is a fault with its reply', (text, code, rpcCode) => {
    const { heard, sink } = rig();
    sink().text(text);
    sink().text(encode(note(1)));
    expect(heard.faults).toMatchObject([{ code, reply: { error: { code: rpcCode } } }]);
    expect(heard.messages).toEqual([note(1)]);
  });

  test('text over the limit is TOO_LARGE, and the connection stays open', () => {
    const { heard, sink } = rig({}, { maxMessageBytes: 100 });
    sink().text(encode(note(1, { x: 'é'.repeat(40) })));
    sink().text(encode(note(2)));
    expect(heard.faults).toMatchObject([{ code: 'TOO_LARGE', reply: { error: { code: -32600 } } }]);
    expect(heard.messages).toEqual([note(2)]);
  });
});

describe('sending', () => {
  test('a message that is too large, aborted or not JSON is not sent, and the connection stays open', async () => {
    const { connection, sent } = rig({}, { maxMessageBytes: 100 });
    const ring: Record<string, unknown> = {};
    ring['ring'] = ring;
    const refused = [
      connection.send(note(1, { x: 'é'.repeat(40) })),
      connection.send(note(2), { signal: AbortSignal.abort() }),
      connection.send(note(3, ring)),
    ];
    const codes = ['TOO_LARGE', 'SEND_FAILED', 'SEND_FAILED'];
    for (const [at, code] of codes.entries()) {
      await expect(refused[at]).rejects.toMatchObject({ code, outcome: 'not-sent' });
    }
    void connection.send(new EncodedMessage(encode(note(4))));
    expect(sent).toEqual([encode(note(4))]);
  });

  test.each([
    ['throws', () => raise('pipe')],
    ['rejects', () => Promise.reject(new Error('pipe'))],
  ])('a carrier that %s is SEND_FAILED with an unknown outcome', async (_, send) => {
    const { connection, heard } = rig({ send });
    const failed = connection.send(note(1));
    await expect(failed).rejects.toMatchObject({ code: 'SEND_FAILED', message: 'pipe', outcome: 'unknown' });
    expect(heard.log).toEqual([]);
  });

  test('a return value of a socket that is not a promise means taken', () => {
    const { connection } = rig({ send: (() => true) as unknown as () => void });
    expect(connection.send(note(1))).toBe(acceptedImmediately);
  });

  test('a send that waits settles with the end of the connection', async () => {
    const { connection, sink } = rig({ send: () => new Promise(() => undefined) });
    const waiting = connection.send(note(1));
    sink().closed(new TransportError('CONNECTION_LOST', 'cut'));
    await expect(waiting).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
    await expect(connection.send(note(2))).rejects.toMatchObject({ code: 'CLOSED', outcome: 'not-sent' });
  });

  test('values are measured only where there is a limit', async () => {
    const carrier = { start: () => undefined, send: () => undefined, close: () => undefined };
    const big = note(1, { x: 'x'.repeat(200) });
    const unlimited = createValueConnection(carrier, { ...pipeTraits, maxMessageBytes: Infinity });
    expect(unlimited.send(big)).toBe(acceptedImmediately);
    const limited = createValueConnection(carrier, { ...pipeTraits, maxMessageBytes: 100 });
    await expect(limited.send(big)).rejects.toMatchObject({ code: 'TOO_LARGE' });
  });
});

describe('the end', () => {
  test('comes once and last, whatever the carrier does afterwards', async () => {
    const { connection, heard, sink, closes } = rig();
    sink().closed();
    sink().closed(new TransportError('CONNECTION_LOST', 'again'));
    sink().text('{');
    sink().value(note(1));
    sink().fault(new TransportError('UNEXPECTED_OUTPUT', 'x'));
    await connection.close();
    expect(heard.log).toEqual(['closed']);
    expect(closes).toEqual([]);
  });

  test('has no error where the carrier reports null', () => {
    const { heard, sink } = rig();
    sink().closed(null as never);
    expect(heard.ends).toEqual([undefined]);
  });

  test('close closes the carrier once, and delivers nothing more', async () => {
    const { connection, heard, sink, closes } = rig({ close: () => sink().text(encode(note(1))) });
    await Promise.all([connection.close(), connection.close()]);
    expect([heard.log, closes]).toEqual([['closed'], [1]]);
    expect(heard.ends).toEqual([undefined]);
  });

  test('a close between the end and its report closes no carrier, and keeps the cause', async () => {
    const lost = new TransportError('CONNECTION_LOST', 'gone');
    const { connection, heard, closes } = rig({ start: (sink) => sink.closed(lost) });
    await connection.close();
    expect([heard.ends, closes]).toEqual([[lost], []]);
    await turn();
    expect(heard.log).toEqual(['closed']);
  });

  test('close takes at most 5 s, and leaves no timer', async () => {
    vi.useFakeTimers();
    const { connection, heard } = rig({ close: () => new Promise(() => undefined) });
    const closing = connection.close();
    await vi.advanceTimersByTimeAsync(4_999);
    expect(heard.log).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await closing;
    expect(heard.log).toEqual(['closed']);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('a carrier that fails to close still counts as closed', async () => {
    const { connection, heard } = rig({ close: () => raise('busy') });
    await connection.close();
    expect(heard.ends).toEqual([undefined]);
  });

  test('a carrier that ended before start reports it after start, and sends reject meanwhile', async () => {
    const heard = listener();
    let started = 0;
    let end = (): void => undefined;
    const lost = new TransportError('CONNECTION_LOST', 'reset');
    const connection = createConnection((sink) => {
      end = () => sink.closed(lost);
      return { start: () => (started += 1), send: () => undefined, close: () => undefined };
    }, pipeTraits);
    expect(connection.send(note(1))).toBe(acceptedImmediately);
    end();
    await expect(connection.send(note(2))).rejects.toMatchObject({ code: 'CLOSED', outcome: 'not-sent' });
    connection.start(heard);
    expect(heard.log).toEqual([]);
    await turn();
    expect([heard.ends, started]).toEqual([[lost], 0]);
  });

  test('an end before start is kept though a fault came right before it', async () => {
    const heard = listener();
    const lost = new TransportError('CONNECTION_LOST', 'reset');
    const connection = createConnection((sink) => {
      sink.fault(new TransportError('TRUNCATED', 'half a line'));
      sink.closed(lost);
      return { start: () => undefined, send: () => undefined, close: () => undefined };
    }, pipeTraits);
    await turn();
    connection.start(heard);
    await turn();
    expect([heard.log, heard.ends]).toEqual([['fault', 'closed'], [lost]]);
  });

  test('what a carrier reports after its end, before start, is not kept', async () => {
    const heard = listener();
    const lost = new TransportError('CONNECTION_LOST', 'reset');
    const closed: unknown[] = [];
    const connection = createConnection((sink) => {
      sink.text(encode(note(1)));
      sink.closed(lost);
      // More than may wait for the start.
      for (let fault = 0; fault <= 4_096; fault += 1) sink.fault(new TransportError('TRUNCATED', 'x'));
      return { start: () => undefined, send: () => undefined, close: (error) => void closed.push(error) };
    }, pipeTraits);
    connection.start(heard);
    await turn();
    expect([heard.log, heard.ends, closed]).toEqual([['received', 'closed'], [lost], []]);
  });

  test('a carrier that ends inside a send before start settles that send and reports the end once', async () => {
    const heard = listener();
    const lost = new TransportError('CONNECTION_LOST', 'reset');
    const connection = createConnection((sink) => {
      const send = (): Promise<void> => (sink.closed(lost), new Promise(() => undefined));
      return { start: () => undefined, send, close: () => undefined };
    }, pipeTraits);
    await expect(connection.send(note(1))).rejects.toBe(lost);
    connection.start(heard);
    await turn();
    expect([heard.log, heard.ends]).toEqual([['closed'], [lost]]);
  });

  test('a connection that was closed before its start reports it afterwards', async () => {
    const { connection, heard } = rig({}, {}, false);
    await connection.close();
    connection.start(heard);
    expect(heard.log).toEqual([]);
    await turn();
    expect(heard.log).toEqual(['closed']);
  });
});

test('fault 28: a receiver that throws everywhere gets one report each and breaks nothing', async () => {
  const { connection, heard, sink } = rig({}, {}, false);
  const throwing = {
    ...heard,
    received: (message: unknown) => (heard.received(message), raise('received')),
    fault: (error: TransportError) => (heard.fault(error), raise('fault')),
    closed: (error?: TransportError) => (heard.closed(error), raise('closed')),
  };
  connection.start(throwing);
  sink().text(encode(note(1)));
  sink().text('{');
  sink().text(encode(note(2)));
  await connection.close();
  expect(heard.messages).toEqual([note(1), note(2)]);
  expect(heard.log.at(-1)).toBe('closed');
  expect(heard.faults[0]).toMatchObject({ cause: { message: 'received' } });
});

function raise(message: string): never {
  throw new Error(message);
}
