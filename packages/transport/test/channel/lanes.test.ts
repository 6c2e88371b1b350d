import { encode, WireError } from '@rxmcp/jsonrpc';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  type Channel,
  createConnection,
  type Lane,
  pipeTraits,
  type Sink,
  TransportError,
} from '../../src/index.js';
import { listener, note, turn } from '../loop.js';

afterEach(() => void vi.useRealTimers());

const ask = (id: number) => ({ jsonrpc: '2.0', id, method: 'ask', params: {} }) as const;
const responseTo = (id: number) => ({ jsonrpc: '2.0', id, result: {} }) as const;

function laned(send: Channel['send'] = () => undefined) {
  const ended: (readonly [Lane, boolean])[] = [];
  const feed: { sink?: Sink } = {};
  const connection = createConnection(
    (sink) => {
      feed.sink = sink;
      return {
        start: () => undefined,
        send,
        endLane: (lane, isAnswered) => void ended.push([lane, isAnswered]),
        close: () => undefined,
      };
    },
    { ...pipeTraits, lanes: 'per-request' },
  );
  const heard = listener();
  connection.start(heard);
  return { connection, heard, ended, sink: feed.sink as Sink };
}

describe('a lane of this side', () => {
  test('ends with its response, and nothing follows', async () => {
    const { connection, heard, ended, sink } = laned();
    const lane = {};
    await connection.send(ask(1), { lane });
    sink.text(encode(responseTo(1)), { lane });
    sink.text(encode(note(1)), { lane });
    sink.laneClosed(lane, new TransportError('CONNECTION_LOST', 'cut'));
    connection.endLane(lane);
    expect([heard.log, ended]).toEqual([['received'], [[lane, true]]]);
    await expect(connection.send(note(2), { lane })).rejects.toMatchObject({ outcome: 'not-sent' });
  });

  test('that it ends receives nothing more, and its waiting sends settle', async () => {
    const { connection, heard, ended, sink } = laned(() => new Promise(() => undefined));
    const [lane, other] = [{}, {}];
    const sent = connection.send(ask(1), { lane });
    void connection.send(ask(2), { lane: other }).catch(() => undefined);
    connection.endLane(lane);
    connection.endLane(lane);
    connection.endLane({});
    await expect(sent).rejects.toMatchObject({ code: 'CLOSED' });
    sink.text(encode(responseTo(1)), { lane });
    sink.laneClosed(lane);
    sink.text(encode(responseTo(2)), { lane: other });
    expect([heard.messages, heard.log, ended]).toEqual([
      [responseTo(2)],
      ['received'],
      [
        [lane, false],
        [other, true],
      ],
    ]);
  });

  test('is reported as closed once, last in it, and not after the end of the connection', async () => {
    const { connection, heard, sink } = laned();
    const [lane, open] = [{}, {}];
    await connection.send(ask(1), { lane });
    await connection.send(ask(2), { lane: open });
    sink.text(encode(note(1)), { lane });
    sink.laneClosed(lane);
    sink.laneClosed(lane);
    sink.text(encode(responseTo(1)), { lane });
    sink.closed();
    sink.laneClosed(open);
    expect(heard.log).toEqual(['received', 'laneClosed', 'closed']);
  });

  test('is reported without an error where the channel passes null', async () => {
    const { connection, heard, sink } = laned();
    const laneClosed = vi.spyOn(heard, 'laneClosed');
    const lane = {};
    await connection.send(ask(1), { lane });
    sink.laneClosed(lane, null as never);
    expect(laneClosed).toHaveBeenCalledExactlyOnceWith(lane, undefined);
  });

  test('does not open where its request was not sent', async () => {
    const { connection, heard, sink } = laned(() => {
      throw new Error('full');
    });
    const lane = {};
    await expect(connection.send(ask(1), { lane })).rejects.toMatchObject({ code: 'SEND_FAILED' });
    sink.laneClosed(lane);
    expect(heard.log).toEqual([]);
  });
});

describe('a lane of the other side', () => {
  test('ends with the response that is sent in it, and not with what the other side answers', async () => {
    const { connection, heard, ended, sink } = laned();
    const lane = {};
    sink.text(encode(ask(1)), { lane });
    await connection.send(ask(7), { lane });
    sink.text(encode(responseTo(7)), { lane });
    expect(ended).toEqual([]);
    await connection.send(responseTo(1), { lane });
    sink.laneClosed(lane);
    expect([heard.log, ended]).toEqual([['received', 'received'], [[lane, true]]]);
  });

  test('with a batch ends with the last response', async () => {
    const { connection, ended, sink } = laned();
    const lane = {};
    sink.value([ask(1), note(1), ask(2)], { lane });
    await connection.send(responseTo(1), { lane });
    expect(ended).toEqual([]);
    await connection.send(responseTo(2), { lane });
    expect(ended).toEqual([[lane, true]]);
  });
});

test('what arrives before start is kept, up to 4,096 messages', async () => {
  const held = (count: number) => {
    const closes: number[] = [];
    const feed: { sink?: Sink } = {};
    const connection = createConnection((sink) => {
      feed.sink = sink;
      return { start: () => undefined, send: () => undefined, close: () => void closes.push(1) };
    }, pipeTraits);
    for (let n = 0; n < count; n += 1) feed.sink?.text(encode(note(n)));
    const heard = listener();
    connection.start(heard);
    return { heard, closes };
  };
  const few = held(3);
  await turn();
  expect(few.heard.messages).toEqual([note(0), note(1), note(2)]);
  const many = held(4_097);
  await turn();
  expect([many.heard.ends, many.closes]).toMatchObject([[{ code: 'OVERFLOW' }], [1]]);
});

test('bytes are decoded, and errors of readers and bytes that are not UTF-8 are faults with a reply', () => {
  const { heard, sink } = laned();
  sink.bytes(new TextEncoder().encode(encode(note(1, { text: 'é' }))));
  sink.bytes(Uint8Array.of(0xff));
  sink.fault(new WireError('OVERFLOW', 'too long'));
  expect(heard.messages).toEqual([note(1, { text: 'é' })]);
  expect(heard.faults.map(({ code, reply }) => [code, reply?.error.code])).toEqual([
    ['PARSE_ERROR', -32700],
    ['OVERFLOW', -32700],
  ]);
});

describe('a served side', () => {
  function served(firstMessageTimeoutMs?: number) {
    const log: string[] = [];
    const go: (() => void)[] = [];
    const feed: { sink?: Sink } = {};
    const connection = createConnection(
      {
        start: (sink) => void (feed.sink = sink),
        send: () => new Promise<void>((resolve) => go.push(resolve)),
        pause: () => void log.push('pause'),
        resume: () => void log.push('resume'),
        close: () => void log.push('close'),
      },
      pipeTraits,
      { isServer: true, ...(firstMessageTimeoutMs === undefined ? {} : { firstMessageTimeoutMs }) },
    );
    const heard = listener();
    connection.start(heard);
    return { connection, heard, log, go, sink: feed.sink as Sink };
  }

  test('reads no further while its sends wait', async () => {
    const { connection, log, go } = served();
    const sends = [connection.send(note(1)), connection.send(note(2))];
    go[0]?.();
    await sends[0];
    expect(log).toEqual(['pause']);
    go[1]?.();
    await sends[1];
    expect(log).toEqual(['pause', 'resume']);
  });

  test('ends with STALLED without a first message, and not after one', async () => {
    vi.useFakeTimers();
    const silent = served(500);
    const speaking = served(500);
    speaking.sink.text(encode(note(1)));
    await vi.advanceTimersByTimeAsync(600);
    expect(silent.heard.ends).toMatchObject([{ code: 'STALLED' }]);
    expect([silent.log, speaking.log, speaking.heard.ends]).toEqual([['close'], [], []]);
    speaking.sink.closed();
  });
});
