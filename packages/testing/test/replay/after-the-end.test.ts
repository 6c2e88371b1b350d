import type { JsonObject, Remote } from '@rxmcp/core';
import { defineClient, defineServer, offerMethod, once } from '@rxmcp/core';
import { memory } from '@rxmcp/memory';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ConnectionHandler, DiagramFrames, Frame, Recording } from '../../src/index.js';
import { record, replayAsClient, replayAsServer, wireMarbles } from '../../src/index.js';

const info = { name: 'x', version: '1.0.0' };
const client = defineClient({ info, versions: ['2025-11-25'] });
const charge = (remote: Remote) => once(remote.request('own/charge'));
let taken: Recording;

beforeAll(async () => {
  const link = memory();
  const serving = link.serve(defineServer({ info, offers: [offerMethod('own/charge', {}, () => ({}))] }));
  const wire = record(link);
  const remote = await client.connect(wire.recorded);
  await charge(remote);
  await remote.close();
  await serving.close();
  taken = wire.recording();
});

/** The same without its end. */
const open = (): Recording => ({ ...taken, frames: taken.frames.filter(({ type }) => type !== 'closed') });
const drawnOf = ({ from, message }: Extract<Frame, { type: 'message' }>): DiagramFrames[string] =>
  from === 'client' ? { client: message } : { server: message };
const frames = (): DiagramFrames =>
  Object.fromEntries(
    taken.frames.flatMap((frame, index) =>
      frame.type === 'message' ? [[String.fromCharCode(96 + index), drawnOf(frame)]] : [],
    ),
  );

const pong = (id: string | number) => ({ jsonrpc: '2.0' as const, id, result: {} });
const note = { jsonrpc: '2.0', method: 'notifications/own' } as const;
/** A server that says to a ping what it is given, one after the other. */
const pinged = (
  ...said: readonly ((id: number) => ReturnType<typeof pong> | typeof note)[]
): ConnectionHandler => ({
  accept(connection) {
    const closed = new Promise<void>((resolve) =>
      connection.start({
        async received(message) {
          for (const one of said) {
            const sent = connection.send(one(Number((message as JsonObject).id)));
            await sent.catch(() => undefined);
          }
        },
        laneClosed: () => undefined,
        fault: () => undefined,
        closed: () => resolve(),
      }),
    );
    return { closed, drain: () => closed };
  },
});
const ping = (...more: readonly Frame[]): Recording => {
  const place = { at: 0, connection: 1 } as const;
  return {
    frames: [
      { ...place, type: 'opened', traits: {} },
      { ...place, type: 'message', from: 'client', message: { jsonrpc: '2.0', id: 1, method: 'ping' } },
      { ...place, type: 'message', from: 'server', message: pong(1) },
      ...more,
    ],
    lost: 0,
    time: 'real',
  };
};
const drawnPing = { a: '> #1 ping', b: '< #1 result' };
const unexpected = { code: 'FRAME_UNEXPECTED', index: -1 };

describe('messages of a client after the last recorded frame', () => {
  it.each([true, false])('is a difference, where it is strict (%s) or not', async (strict) => {
    for (const recording of [taken, open()]) {
      const { transport, done } = replayAsServer(recording, { strict });
      const remote = await client.connect(transport);
      await charge(remote);
      await charge(remote).catch(() => undefined);
      await remote.close();
      await expect(done).rejects.toMatchObject(unexpected);
    }
  });

  it('is a notification as well', async () => {
    const { transport, done } = replayAsServer(taken);
    const remote = await client.connect(transport);
    await charge(remote);
    await remote.notify('notifications/own').catch(() => undefined);
    await remote.close();
    await expect(done).rejects.toMatchObject(unexpected);
  });

  it('is awaited until it closes', async () => {
    const { transport, done } = replayAsServer(taken);
    const remote = await client.connect(transport);
    await charge(remote);
    let isDone = false;
    const settled = done.then(() => (isDone = true));
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(isDone).toBe(false);
    await remote.close();
    await settled;
  });

  it('may be its close, before that of the server', async () => {
    const closed: Frame = { at: 1, connection: 1, type: 'closed', from: 'server' };
    const note: Frame = {
      at: 1,
      connection: 1,
      type: 'message',
      from: 'server',
      message: { jsonrpc: '2.0', method: 'notifications/own' },
    };
    const left = async (recording: Recording): Promise<void> => {
      const { transport, done } = replayAsServer(recording, { pace: 'recorded' });
      const remote = await client.connect(transport);
      await charge(remote);
      await remote.close();
      await done;
    };
    const late = (frame: Frame): Frame => ({ ...frame, at: 60_000 });
    const { frames: before } = open();
    await left({ ...taken, frames: [...before, late(closed)] });
    const failing = left({ ...taken, frames: [...before, late(note)] });
    await expect(failing).rejects.toMatchObject({ code: 'FRAME_MISSING', index: before.length });
  });

  it('must be drawn, its close as well', async () => {
    const code = (end: (remote: Remote) => Promise<unknown>) =>
      wireMarbles(({ expectWire }) =>
        expectWire(async (transport) => {
          const remote = await client.connect(transport);
          await charge(remote);
          await end(remote);
        }).toBeInOrder('abcde|', frames()),
      );
    await code((remote) => remote.close());
    await expect(code(() => Promise.resolve())).rejects.toMatchObject({ code: 'FRAME_MISSING' });
    await expect(code(charge)).rejects.toMatchObject({ code: 'FRAME_DIFFERS' });
  });
});

describe('messages of a server after the last recorded frame', () => {
  const closed: Frame = { at: 0, connection: 1, type: 'closed', from: 'client' };

  it.each<[string, ConnectionHandler]>([
    ['a second response', pinged(pong, pong)],
    ['a notification', pinged(pong, () => note)],
  ])('is a difference: %s', async (_what, server) => {
    for (const recording of [ping(), ping(closed)]) {
      for (const pace of ['none', 'recorded'] as const) {
        // At its recorded time the close comes at once.
        if (pace === 'recorded' && recording.frames.length > 3) continue;
        await expect(replayAsClient(recording, server, { pace })).rejects.toMatchObject(unexpected);
      }
    }
    for (const diagram of ['ab', 'ab|']) {
      const failing = wireMarbles(({ expectWire }) => expectWire(server).toBeInOrder(diagram, drawnPing));
      await expect(failing).rejects.toMatchObject(unexpected);
    }
  });

  it('is nothing mostly', async () => {
    await replayAsClient(ping(), pinged(pong));
    await replayAsClient(ping(closed), pinged(pong));
    await wireMarbles(({ expectWire }) => expectWire(pinged(pong)).toBeInOrder('ab|', drawnPing));
  });
});

it('a recording without frames cannot be replayed', async () => {
  const nothing = { frames: [], lost: 99, time: 'real' } as const;
  await expect(replayAsClient(nothing, pinged(pong))).rejects.toThrow(TypeError);
  expect(() => replayAsServer(nothing)).toThrow(TypeError);
});

it.each([
  ['CONNECTION_LOST', 'CONNECTION_LOST'],
  ['SESSION_EXPIRED', 'SESSION_EXPIRED'],
  ['CLOSED', 'CLOSED'],
  ['STALLED', 'STALLED'],
  ['OVERFLOW', 'OVERFLOW'],
  ['OWN_CODE', 'CONNECTION_LOST'],
])('a recorded end with %s is played as %s', async (code, played) => {
  const ends: (string | undefined)[] = [];
  const server: ConnectionHandler = {
    accept(connection) {
      const closed = new Promise<void>((resolve) =>
        connection.start({
          received: (message) => void connection.send(pong(Number((message as JsonObject).id))),
          laneClosed: () => undefined,
          fault: () => undefined,
          closed: (error) => resolve(void ends.push(error?.code)),
        }),
      );
      return { closed, drain: () => closed };
    },
  };
  const error = { code, message: 'it ended' };
  await replayAsClient(ping({ at: 0, connection: 1, type: 'closed', from: 'client', error }), server);
  expect(ends).toEqual([played]);
});
