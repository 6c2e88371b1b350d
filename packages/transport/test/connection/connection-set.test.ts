import { expect, test } from 'vitest';
import type { ConnectionHandler, Connection } from '../../src/index.js';
import { ConnectionSet } from '../../src/index.js';
import { rig, turn } from '../loop.js';

function acceptor(log: string[]): ConnectionHandler {
  return {
    accept(connection: Connection) {
      let over = (): void => undefined;
      const closed = new Promise<void>((resolve) => (over = resolve));
      connection.start({
        received: () => undefined,
        laneClosed: () => undefined,
        fault: () => undefined,
        closed: () => (log.push('closed'), over()),
      });
      return {
        drain: async ({ timeoutMs }) => void log.push(`drain ${String(timeoutMs)}`),
        closed,
      };
    },
  };
}

test('a drain stops listening, drains every connection, then closes them', async () => {
  const log: string[] = [];
  const serving = new ConnectionSet(acceptor(log), () => log.push('stop'));
  serving.accept(rig({}, {}, false).connection);
  serving.accept(rig({}, {}, false).connection);
  await Promise.all([serving.drain({ timeoutMs: 7 }), serving.close()]);
  expect(log.slice(0, 3)).toEqual(['stop', 'drain 7', 'drain 7']);
  expect(log.filter((entry) => entry === 'closed')).toHaveLength(2);
  expect(serving.size).toBe(0);
});

test.each([undefined, null, {}, { accept: true }])(
  '%j accepts no connection, and is rejected at once',
  (acceptor) => {
    expect(() => new ConnectionSet(acceptor as never)).toThrow(
      new TypeError('a connection handler, such as a server, needs "accept"'),
    );
  },
);

test('a connection that ended is forgotten without a close', async () => {
  const serving = new ConnectionSet(acceptor([]));
  const { connection, sink } = rig({}, {}, false);
  serving.accept(connection);
  expect(serving.size).toBe(1);
  sink().closed();
  await turn();
  expect(serving.size).toBe(0);
});

test('a connection that comes after the stop is closed and never accepted', async () => {
  const log: string[] = [];
  const serving = new ConnectionSet({ accept: () => (log.push('accepted'), raise()) }, () =>
    log.push('stop'),
  );
  await serving.close();
  const { connection, closes } = rig({}, {}, false);
  const served = serving.accept(connection);
  await Promise.all([served.closed, served.drain({ timeoutMs: 1 })]);
  expect([log, closes, serving.size]).toEqual([['stop'], [1], 0]);
});

function raise(): never {
  throw new Error('nothing is accepted any more');
}

test('a listener that cannot be stopped still ends its connections', async () => {
  const log: string[] = [];
  const serving = new ConnectionSet(acceptor(log), () => {
    throw new Error('not running');
  });
  serving.accept(rig({}, {}, false).connection);
  await serving.drain({ timeoutMs: 7 });
  expect(log).toEqual(['drain 7', 'closed']);
  expect(serving.size).toBe(0);
});

test.each([
  ['resolves', () => undefined],
  ['rejects', () => raise()],
])('a close waits for a stop that %s later, and for the connections meanwhile', async (_, end) => {
  const log: string[] = [];
  let stopped = (): void => undefined;
  const stopping = new Promise<void>((resolve) => (stopped = resolve)).then(end);
  const serving = new ConnectionSet(acceptor(log), () => stopping);
  serving.accept(rig({}, {}, false).connection);
  const over = [serving.drain({ timeoutMs: 7 }), serving.close()].map((ending) =>
    ending.then(() => log.push('over')),
  );
  await turn();
  expect(log).toEqual(['drain 7', 'closed']);
  stopped();
  await Promise.all(over);
  expect(log).toEqual(['drain 7', 'closed', 'over', 'over']);
});

test('a handler that throws costs its connection only, and the cause is reported', async () => {
  const causes: unknown[] = [];
  const serving = new ConnectionSet({ accept: raise });
  const { connection, closes } = rig({}, {}, false);
  await serving.accept(connection, (cause) => causes.push(cause)).closed;
  expect([causes, closes, serving.size]).toMatchObject([
    [{ message: 'nothing is accepted any more' }],
    [1],
    0,
  ]);
});
