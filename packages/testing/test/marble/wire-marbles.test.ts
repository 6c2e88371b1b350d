import type { Client, Remote, Server } from '@rxmcp/core';
import { defineClient, defineServer, offerMethod, once, progressItem } from '@rxmcp/core';
import { concatMap, delay, map, NEVER, of, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { DiagramFrames } from '../../src/index.js';
import { record, ReplayError, wireMarbles } from '../../src/index.js';

const info = { name: 'x', version: '1.0.0' };
const versions = ['2025-11-25'];
const server = (said = 'hi'): Server =>
  defineServer({
    info,
    offers: [
      offerMethod('own/slow', {}, () =>
        timer(5).pipe(concatMap(() => of(progressItem(1), { said }).pipe(delay(5)))),
      ),
      offerMethod('own/never', {}, () => NEVER),
    ],
  });
const client = (): Client => defineClient({ info, versions });

const opening: DiagramFrames = {
  i: '> #1 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1.0.0"}}',
  j: '< #1 result {"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"x","version":"1.0.0"}}',
  k: '> notifications/initialized',
};
const slow: DiagramFrames = {
  ...opening,
  s: { client: { jsonrpc: '2.0', id: 2, method: 'own/slow', params: { _meta: { progressToken: 'p' } } } },
  p: '< notifications/progress {"progressToken":"p","progress":1}',
  r: '< #2 result {"said":"hi"}',
  n: '> #2 own/never {}',
  o: '> #3 own/never {}',
};

describe('a diagram of frames', () => {
  it('shows the messages of a server and their times', async () => {
    await wireMarbles(({ expectWire }) => {
      expectWire(server()).toBe('(ij) k-- s 9ms (pr) --|', slow);
    });
  });

  it.each([
    ['(ij) k-- s 8ms (pr) --|', { code: 'FRAME_MISTIMED', path: 'at', actual: 17 }],
    ['(ij) k-- s 12ms r --|', { code: 'FRAME_DIFFERS' }],
    ['(ij) k-- s 9ms (prr)-|', { code: 'FRAME_MISSING' }],
    ['(ij) k-- s 9ms p|', { code: 'FRAME_UNEXPECTED' }],
  ])('differs in %s', async (diagram, expected) => {
    const failing = wireMarbles(({ expectWire }) => expectWire(server()).toBe(diagram, slow));
    const error: unknown = await failing.catch((failed: unknown) => failed);
    expect(error).toBeInstanceOf(ReplayError);
    expect(error).toMatchObject(expected);
  });

  it('names the member that differs', async () => {
    const failing = wireMarbles(({ expectWire }) =>
      expectWire(server('ho')).toBeInOrder('(ijk)s(pr)|', slow),
    );
    await expect(failing).rejects.toMatchObject({ code: 'FRAME_DIFFERS', path: 'result.said', actual: 'ho' });
  });

  it('shows the messages of dialling code, with the cancel marked', async () => {
    const code = async (remote: Remote): Promise<void> => {
      const call = remote.request('own/never').subscribe();
      await new Promise((resolve) => setTimeout(resolve, 20));
      call.unsubscribe();
    };
    await wireMarbles(({ expectWire }) => {
      expectWire(async (transport) => {
        const remote = await client().connect(transport);
        await code(remote);
        await remote.close();
      }).toBe('a 19ms (!|)', { ...slow, a: [slow.i, slow.j, slow.k, slow.n].map((one) => one ?? '') });
    });
  });

  it('reports a lost connection to code', async () => {
    const seen: unknown[] = [];
    await wireMarbles(({ expectWire, time }) => {
      expectWire(async (transport) => {
        const remote = await client().connect(transport);
        await once(remote.request('own/never')).catch(({ code }) => seen.push(code, time.nowMs));
      }).toBeInOrder('a 19ms #', { a: [slow.i, slow.j, slow.k, slow.n].map((one) => one ?? '') });
    });
    expect(seen).toEqual(['CONNECTION_LOST', 0]);
  });

  it('draws what was recorded', async () => {
    await wireMarbles(async ({ expectWire }) => {
      const wire = record(server());
      expectWire(wire.recorded).toBe('(ij)k s 9ms (pr) |', slow);
      await new Promise((resolve) => setTimeout(resolve, 100));
      expectWire(wire.recording()).toBe('(ij)k s 9ms (pr) |', slow);
    });
  });

  it('needs a frame for each letter, and an open request for a cancel', async () => {
    const drawn = (diagram: string) =>
      wireMarbles(({ expectWire }) => expectWire(server()).toBe(diagram, slow));
    await expect(drawn('z|')).rejects.toThrow('without a frame: "z"');
    await expect(drawn('!|')).rejects.toThrow('cancels a request with "!"');
  });
});

describe('marbles in virtual time', () => {
  it('are those of RxJS, with promises', async () => {
    await wireMarbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const source = cold('a-b-c|', { a: 1, b: 2, c: 3 });
      expectObservable(source.pipe(map((n) => n * 2))).toBe('x-y-z|', { x: 2, y: 4, z: 6 });
      expectSubscriptions(source.subscriptions).toBe('^----!');
      expectObservable(cold('5ms a|').pipe(concatMap((value) => Promise.resolve(value)))).toBe('5ms a|');
      expectObservable(hot('-a-b-c'), '--^--!').toBe('---b-(c)');
      expectObservable(cold('-#', {}, 'no')).toBe('-#', {}, 'no');
    });
  });

  it('show both sides when they differ', async () => {
    const failing = wireMarbles(({ cold, expectObservable }) => expectObservable(cold('a-b|')).toBe('a-c|'));
    await expect(failing).rejects.toThrow(
      'the events differ\n--- expected\n0 ms: "a"\n2 ms: "c"\n3 ms: complete\n--- happened\n0 ms: "a"\n2 ms: "b"',
    );
  });
});
