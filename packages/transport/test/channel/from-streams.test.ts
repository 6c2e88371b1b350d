import { describe, expect, test } from 'vitest';
import { fromStreams, type MessageStreams } from '../../src/index.js';
import { heard } from '../sdk/received.js';

type Observer = Parameters<MessageStreams['messages$']['subscribe']>[0];

const ping = (id: number, params = {}) => ({ jsonrpc: '2.0', id, method: 'ping', params }) as const;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A source that the test pushes into, and everything that was sent. */
function source(atOnce: (observer: Observer) => void = () => undefined) {
  const sent: unknown[] = [];
  const observers: Observer[] = [];
  let left = 0;
  const streams: MessageStreams = {
    messages$: {
      subscribe(observer) {
        observers.push(observer);
        atOnce(observer);
        return { unsubscribe: () => void (left += 1) };
      },
    },
    send: (message) => void sent.push(message),
  };
  return { streams, sent, observers, left: () => left };
}

function started(from = source()) {
  const connection = fromStreams(from.streams);
  const near = heard();
  connection.start(near);
  return { ...from, connection, near };
}

describe('an Observable of messages and a function that sends', () => {
  test('is subscribed to at the start, and left at the close', async () => {
    const from = source();
    const connection = fromStreams(from.streams);
    expect(from.observers).toHaveLength(0);
    const near = heard();
    connection.start(near);
    from.observers[0]?.next(ping(1));
    expect(near.messages).toEqual([]);
    await turn();
    expect(near.messages).toEqual([ping(1)]);
    await connection.close();
    expect([from.left(), near.ends]).toEqual([1, [undefined]]);
  });

  test('sends copies, and waits for pending writes', async () => {
    const { connection, sent, streams } = started();
    const params = { list: [1] };
    await connection.send(ping(1, params));
    params.list.push(2);
    expect(sent).toEqual([ping(1, { list: [1] })]);
    let go = (): void => undefined;
    Object.assign(streams, { send: () => new Promise<void>((resolve) => (go = resolve)) });
    let taken = false;
    const sending = connection.send(ping(2)).then(() => (taken = true));
    await turn();
    expect(taken).toBe(false);
    go();
    await sending;
  });

  test('its completion is an end in order, its error a loss, in their place', async () => {
    const complete = started(source((observer) => (observer.next(ping(1)), observer.complete())));
    await turn();
    expect([complete.near.messages, complete.near.ends]).toEqual([[ping(1)], [undefined]]);
    const lost = started(source((observer) => (observer.next(ping(1)), observer.error(new Error('cut')))));
    await turn();
    expect(lost.near.messages).toEqual([ping(1)]);
    expect(lost.near.ends).toMatchObject([{ code: 'CONNECTION_LOST', message: 'cut' }]);
  });
});
