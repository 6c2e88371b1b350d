import type { JsonObject } from '@rxmcp/core';
import { describe, expect, it } from 'vitest';
import type { DiagramFrames, Frame, Recording } from '../../src/index.js';
import { wireMarbles } from '../../src/index.js';

const place = { at: 0, connection: 1 } as const;
const said = (from: 'client' | 'server', message: JsonObject, lane?: number): Frame => ({
  ...place,
  type: 'message',
  from,
  message: { jsonrpc: '2.0', ...message },
  ...(lane === undefined ? {} : { lane }),
});
const closed = (from: 'client' | 'server', code?: string): Frame => ({
  ...place,
  type: 'closed',
  from,
  ...(code === undefined ? {} : { error: { code, message: 'x' } }),
});
const recording = (...frames: readonly Frame[]): Recording => ({
  frames: [{ ...place, type: 'opened', traits: {} }, ...frames],
  lost: 0,
  time: 'virtual',
});
const held = (taken: Recording, diagram: string, frames: DiagramFrames): Promise<void> =>
  wireMarbles(({ expectWire }) => expectWire(taken).toBeInOrder(diagram, frames));

const ask = (id: number, method = 'a', params?: JsonObject): JsonObject =>
  ({ id, method, ...(params && { params }) }) as JsonObject;
const drawn: DiagramFrames = {
  a: '> #1 a',
  b: '> #2 a',
  r: '< #1 result',
  c: '> notifications/cancelled {"requestId":"#1"}',
  t: '> #1 a {"_meta":{"progressToken":"#1"}}',
  p: '< notifications/progress {"progressToken":"#1","progress":1}',
  q: '< #1 ask',
  s: '> #1 result',
};
const tokens = (token: number): Recording =>
  recording(
    said('client', ask(11, 'a', { _meta: { progressToken: 11 } })),
    said('server', { method: 'notifications/progress', params: { progressToken: token, progress: 1 } }),
  );

describe('a recording that is compared with a diagram', () => {
  it.each<[string, Recording, string]>([
    ['a response', recording(said('client', ask(11)), said('server', { id: 11, result: {} })), 'ar'],
    ['progress', tokens(11), 'tp'],
    [
      'a cancel',
      recording(
        said('client', ask(11)),
        said('client', ask(12)),
        said('client', { method: 'notifications/cancelled', params: { requestId: 11 } }),
      ),
      'abc',
    ],
    [
      'the ids of either side',
      recording(
        said('client', ask(11)),
        said('server', ask(5, 'ask')),
        said('client', { id: 5, result: {} }),
        said('server', { id: 11, result: {} }),
      ),
      'aqsr',
    ],
    ['a close', recording(said('client', ask(1)), closed('client')), 'a|'],
    ['a loss', recording(said('client', ask(1)), closed('client', 'STALLED')), 'a#'],
  ])('may call things otherwise: %s', async (_what, taken, diagram) => {
    await held(taken, diagram, drawn);
  });

  it.each<[string, Recording, string, string]>([
    ['a response', recording(said('client', ask(11)), said('server', { id: 1, result: {} })), 'ar', 'id'],
    ['progress', tokens(1), 'tp', 'params.progressToken'],
    ['one id for two', recording(said('client', ask(11)), said('client', ask(11))), 'ab', 'id'],
    [
      'a cancel',
      recording(
        said('client', ask(11)),
        said('client', ask(12)),
        said('client', { method: 'notifications/cancelled', params: { requestId: 12 } }),
      ),
      'abc',
      'params.requestId',
    ],
    ['a clean close as a loss', recording(said('client', ask(1)), closed('server')), 'a#', 'error'],
    ['a loss as a close', recording(said('client', ask(1)), closed('client', 'STALLED')), 'a|', 'error'],
    ['who closed', recording(said('client', ask(1)), closed('server')), 'a|', 'from'],
  ])('must be consistent: %s', async (_what, taken, diagram, path) => {
    await expect(held(taken, diagram, drawn)).rejects.toMatchObject({ code: 'FRAME_DIFFERS', path });
  });

  it('keeps to its lanes', async () => {
    const lanes: DiagramFrames = {
      a: { client: { jsonrpc: '2.0', ...ask(1) }, lane: 1 },
      b: { client: { jsonrpc: '2.0', ...ask(2) }, lane: 2 },
      r: { server: { jsonrpc: '2.0', id: 2, result: {} }, lane: 2 },
      x: { left: 'client', lane: 1 },
    };
    const taken = (left: number, answered: number): Recording =>
      recording(
        said('client', ask(1), 7),
        said('client', ask(2), 8),
        said('server', { id: 2, result: {} }, answered),
        { ...place, type: 'lane-closed', from: 'client', lane: left },
      );
    await held(taken(7, 8), 'abrx', lanes);
    const error = { code: 'FRAME_DIFFERS', path: 'lane' };
    await expect(held(taken(8, 8), 'abrx', lanes)).rejects.toMatchObject(error);
    await expect(held(taken(7, 7), 'abrx', lanes)).rejects.toMatchObject(error);
  });

  it('may end with the server’s close', async () => {
    const ends: DiagramFrames = { ...drawn, z: { closed: 'server' } };
    await held(recording(said('client', ask(1)), closed('server')), 'az', ends);
    const failing = held(recording(said('client', ask(1)), closed('client')), 'az', ends);
    await expect(failing).rejects.toMatchObject({ path: 'from' });
  });

  it('must be complete, and of one connection', async () => {
    const taken = recording(said('client', ask(1)), said('server', { id: 1, result: {} }));
    await expect(held({ ...taken, lost: 5 }, 'ar', drawn)).rejects.toMatchObject({
      code: 'FRAME_UNEXPECTED',
      message: expect.stringContaining('5 frames') as string,
    });
    const [opened, ...rest] = taken.frames;
    const other = rest.map((frame) => ({ ...frame, connection: 2 }));
    const two = { ...taken, frames: [opened as Frame, ...rest, ...other] };
    await expect(held(two, 'ar', drawn)).rejects.toThrow(TypeError);
  });
});
