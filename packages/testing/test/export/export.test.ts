import { runInNewContext } from 'node:vm';
import type { JsonObject, Server } from '@rxmcp/core';
import { defineClient, defineServer, offerMethod, once, progressItem } from '@rxmcp/core';
import { memory } from '@rxmcp/memory';
import { concatMap, of, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { DiagramFrames, Frame, Recording } from '../../src/index.js';
import { exportTest, record, virtualTime, wireMarbles } from '../../src/index.js';
import { equalDeep } from '../../src/marble/equal-deep.js';
import { drawn } from '../../src/export/export-test.js';
import { sliceOf } from '../../src/export/slice.js';
import { connectionOf } from '../../src/marble/diagram.js';

const info = { name: 'x', version: '1.0.0' };
const greeting = (said: string): Server =>
  defineServer({
    info,
    offers: [
      offerMethod('own/greet', {}, ({ name }) =>
        timer(20).pipe(
          concatMap(() => of(progressItem(1), { said: `${said}, ${String(name)}!`, "it's": '\u2028"\\' })),
        ),
      ),
    ],
  });

/** A session, taken at the server. */
async function taken(version: string): Promise<Recording> {
  using time = virtualTime();
  const link = memory();
  const atServer = record(greeting('Hello'));
  const serving = link.serve(atServer.recorded);
  const remote = await time.run(defineClient({ info, versions: [version] }).connect(link));
  for (const name of ['Ada', 'Bob']) await time.run(once(remote.request('own/greet', { name })));
  await time.run(remote.close());
  await time.run(serving.close());
  return atServer.recording();
}

describe('an exported recording', () => {
  it.each(['2026-07-28', '2025-11-25', '2024-11-05'])(
    'may be a part, which needs nothing else, at %s',
    async (version) => {
      const recording = await taken(version);
      const part = sliceOf(recording, { startMs: 20, endMs: 45 });
      expect(JSON.stringify(part)).not.toMatch(/Ada/);
      const { diagram, frames } = drawn(part);
      expect(diagram).toMatch(/^\(?a.*19ms \(?c\|?\)?$/);
      await wireMarbles(({ expectWire }) => expectWire(greeting('Hello')).toBe(diagram, frames));
      const failing = wireMarbles(({ expectWire }) => expectWire(greeting('Hi')).toBe(diagram, frames));
      await expect(failing).rejects.toMatchObject({ code: 'FRAME_DIFFERS', path: 'result.said' });
    },
  );

  it.each(['2026-07-28', '2025-11-25'])('keeps pending requests when it ends, at %s', async (version) => {
    const recording = await taken(version);
    const part = drawn(sliceOf(recording, { endMs: 30 }));
    expect(JSON.stringify(part.frames)).toMatch(/Hello, Bob/);
    await wireMarbles(({ expectWire }) =>
      expectWire(greeting('Hello')).toBeInOrder(part.diagram, part.frames),
    );
    const early = drawn(sliceOf(recording, { endMs: 10 }));
    expect(JSON.stringify(early.frames)).toMatch(/Hello, Ada/);
    expect(JSON.stringify(early.frames)).not.toMatch(/Bob/);
    await wireMarbles(({ expectWire }) => expectWire(greeting('Hello')).toBe(early.diagram, early.frames));
  });

  it('keeps the end of a lane whose request is pending when it ends, and nothing after that', () => {
    const event = { connection: 1, type: 'message' } as const;
    const asked = (at: number, id: number): Frame => {
      return { ...event, at, from: 'client', lane: id, message: { jsonrpc: '2.0', id, method: 'own/wait' } };
    };
    const ended = (at: number, lane: number): Frame => {
      return { at, connection: 1, type: 'lane-closed', from: 'server', lane };
    };
    const noted = (at: number, lane?: number): Frame => {
      const message = { jsonrpc: '2.0', method: 'own/noted' };
      return { ...event, at, from: 'server', message, ...(lane === undefined ? {} : { lane }) };
    };
    const kept: Frame[] = [
      { at: 0, connection: 1, type: 'opened', traits: {} },
      asked(10, 1),
      noted(15, 3),
      noted(40),
      ended(50, 1),
    ];
    const frames = [...kept, noted(60), ended(70, 2), ended(75, 3), noted(80)].toSpliced(3, 0, asked(30, 2));
    expect(sliceOf({ frames, lost: 0, time: 'virtual' }, { endMs: 20 })).toEqual(kept);
  });

  it('records which side closed', async () => {
    using time = virtualTime();
    const link = memory();
    const wire = record(link);
    const serving = link.serve(greeting('Hello'));
    const code = async (transport: Parameters<ReturnType<typeof defineClient>['connect']>[0]) => {
      const remote = await defineClient({ info }).connect(transport);
      await new Promise((resolve) => setTimeout(resolve, 100));
      await remote.close();
    };
    setTimeout(() => void serving.close(), 20);
    await time.run(code(wire.recorded));
    time.close();
    expect(wire.recording().frames.at(-1)).toMatchObject({ type: 'closed', from: 'server' });
    const { diagram, frames } = drawn(sliceOf(wire.recording(), {}));
    await wireMarbles(({ expectWire }) => expectWire(code).toBe(diagram, frames));
    await wireMarbles(({ expectWire }) => expectWire(greeting('Hello')).toBe(diagram, frames));
    await wireMarbles(({ expectWire }) => expectWire(wire.recording()).toBe(diagram, frames));
  });

  it.each([1, 60, 7_989, 40_000])('has a letter for each of %i instants', (count) => {
    const opened = { at: 0, connection: 1, type: 'opened', traits: {} } as const;
    const all = Array.from({ length: count }, (_, at): Frame => ({
      at,
      connection: 1,
      type: 'lane-closed',
      from: 'client',
      lane: at,
    }));
    const { diagram, frames } = drawn([opened, ...all]);
    const { frames: read } = connectionOf(diagram, frames, 'client', {});
    // Their difference would be too long to be shown.
    expect(equalDeep(read, [opened, ...all])).toBe(true);
  });

  it('is written as a literal', () => {
    const params = JSON.parse(
      '{"__proto__":1,"a\\"__proto__":2,"b":"\\"__proto__\\":","c":",{"}',
    ) as JsonObject;
    const recording: Recording = {
      frames: [
        { at: 0, connection: 1, type: 'opened', traits: {} },
        {
          at: 0,
          connection: 1,
          type: 'message',
          from: 'client',
          message: { jsonrpc: '2.0', method: 'a', params },
        },
      ],
      lost: 3,
      time: 'virtual',
    };
    const text = exportTest(recording, { name: 'n', subject: { import: 'server', from: './s.js' } });
    const [literal] = /(?<=^const frames = )\{$.*?^\}/ms.exec(text) ?? [];
    const frames = runInNewContext(`(${literal})`) as DiagramFrames;
    expect(JSON.stringify(frames.a)).toBe(
      JSON.stringify({ client: { jsonrpc: '2.0', method: 'a', params } }),
    );
    expect(text).toMatch(/^\/\/ .* 3 /m);
    expect(
      exportTest({ ...recording, lost: 0 }, { name: 'n', subject: { import: 's', from: 's' } }),
    ).not.toMatch(/^\/\//m);
  });

  it('names what cannot be exported', async () => {
    const recording = await taken('2025-11-25');
    expect(() => sliceOf(recording, { connection: 2 })).toThrow('no connection 2');
  });
});
