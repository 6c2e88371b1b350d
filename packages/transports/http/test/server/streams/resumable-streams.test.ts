import { MemoryBudget } from '@rxmcp/transport';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { fetchHandler } from '../../../src/fetch.js';
import { EventStream } from '../../../src/server/streams/event-stream.js';
import { ResumableStreams, StreamPlaces } from '../../../src/server/streams/resumable-streams.js';
import type { StreamHost } from '../../../src/server/streams/stream-host.js';
import { type EventStore, memoryEventStore } from '../../../src/node.js';
import { idsIn, listening, post, request } from '../calls.js';
import { Desk } from '../desk.js';

function kept(maxBytes = 64 * 1024 * 1024) {
  const dropped: string[] = [];
  const store = { ...memoryEventStore(), deleteStream: (name: string) => void dropped.push(name) };
  const memory = new MemoryBudget({ maxBytes });
  const places = new StreamPlaces(memory);
  const of = (holder: string) => {
    const streams = new ResumableStreams(store, places, holder);
    /** Returns false where there is no place. */
    const add = (at: number, finished: boolean): boolean => {
      const name = `s.${String(at)}`;
      const stream = new EventStream({} as StreamHost<EventStream>, { store, name, holder, primes: false });
      stream.finished = finished;
      stream.lastTick = at;
      if (!streams.reserve()) return false;
      streams.add(name, stream);
      return true;
    };
    return { streams, add };
  };
  return { ...of('ada'), of, dropped, memory };
}

const thousands = Array.from({ length: 1_024 }, (_, at) => at);

describe('the streams that can be resumed', () => {
  it('are 1,024 in a session, of which the oldest that has ended is dropped for a new one', () => {
    const { streams, dropped, add } = kept();
    for (const at of thousands) expect(add(at, at > 0)).toBe(true);
    expect(dropped).toEqual([]);
    expect(add(1_024, true)).toBe(true);
    expect(dropped).toEqual(['s.1']);
    expect(streams.get('s.0')).toBeInstanceOf(EventStream);
  });

  it('are as many as fit where none has ended', () => {
    const { dropped, add } = kept();
    for (const at of thousands) add(at, false);
    expect(add(1_024, false)).toBe(false);
    expect(dropped).toEqual([]);
  });

  it('take an eighth of the memory of all callers, half of that for one and half of the rest for the next, which are charged', () => {
    const { of, memory, dropped } = kept(8 * 1024 * 1024);
    const sessions = ['ada', 'ada', 'bob', 'cyd'].map((holder) => of(holder));
    const counts = sessions.map(({ add }) => thousands.filter((at) => add(at, false)).length);
    expect(counts).toEqual([512, 0, 256, 128]);
    expect(memory.heldBytes).toBe(896 * 1_024);
    for (const { streams } of sessions) {
      for (const at of thousands) Object.assign(streams.get(`s.${String(at)}`) ?? {}, { finished: true });
      streams.forgetOver(1_024);
    }
    expect(memory.heldBytes).toBe(0);
    expect(dropped).toHaveLength(896);
  });

  it('are 65,536 of all sessions, and half of that for one caller, however much memory there is', () => {
    const { of } = kept(1024 * 1024 * 1024);
    const sessions = Array.from({ length: 33 }, () => of('ada'));
    const counts = sessions.map(({ add }) => thousands.filter((at) => add(at, false)).length);
    expect(counts.reduce((sum, count) => sum + count)).toBe(32_768);
    expect(of('bob').add(0, false)).toBe(true);
  });

  it('are as many as their caller has memory for', () => {
    const { memory, add } = kept();
    expect(memory.tryCharge('ada', 32 * 1024 * 1024)).toBe(true);
    expect(add(0, false)).toBe(false);
    memory.release('ada', 32 * 1024 * 1024);
    expect(add(0, false)).toBe(true);
  });

  it('are forgotten some time after they have ended, or with their session', () => {
    const { streams, dropped, memory, add } = kept();
    for (const at of [1, 2, 3]) add(at, at < 3);
    streams.forgetOver(1);
    expect([dropped, memory.heldBytes]).toEqual([['s.1'], 2_048]);
    streams.forgetOver(10);
    expect([dropped, memory.heldBytes]).toEqual([['s.1', 's.2'], 1_024]);
  });
});

it('a session that posts batch after batch keeps no more streams than that', async () => {
  const names = new Set<string>();
  const store = memoryEventStore();
  const events: EventStore = {
    append: (stream, text) => (names.add(stream), store.append(stream, text)),
    readAfter: (id) => store.readAfter(id),
    deleteStream: (stream) => (names.delete(stream), store.deleteStream(stream)),
  };
  const handler = fetchHandler(new Desk(), { eventStore: events });
  onTestFinished(() => handler.close());
  const ask = (init: RequestInit): Promise<Response> => handler(new Request('http://localhost/mcp', init));
  const opened = await ask(post(request('initialize', { protocolVersion: '2025-03-26', capabilities: {} })));
  const headers = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  for (let at = 0; at < 1_200; at += 1) {
    const response = await ask(post([request('echo', {}, at)], headers));
    expect(await response.text()).toContain('"result"');
  }
  expect(names.size).toBeGreaterThan(1_000);
  expect(names.size).toBeLessThanOrEqual(1_024);
});

it('a replay is read in turns of the event loop where a client resumes a stream with many requests at a time', async () => {
  const store = memoryEventStore();
  let inTurn = 0;
  const reads: number[] = [];
  const events: EventStore = {
    ...store,
    readAfter: (id) => {
      if (inTurn === 0) setImmediate(() => (inTurn = 0));
      reads.push((inTurn += 1));
      // As long as a turn.
      vi.advanceTimersByTime(10);
      return store.readAfter(id);
    },
  };
  const handler = fetchHandler(new Desk(), { eventStore: events });
  onTestFinished(() => handler.close());
  const ask = (init: RequestInit): Promise<Response> => handler(new Request('http://localhost/mcp', init));
  const opened = await ask(post(request('initialize', { protocolVersion: '2025-06-18', capabilities: {} })));
  const headers = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  const [id = ''] = idsIn(await (await ask(post(request('tell', { count: 1 }), headers))).text());
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  // The turn that has begun has an end on the real clock.
  for (let look = 0; look < 16; look += 1) await new Promise((resolve) => setImmediate(resolve));
  const asked = Array.from({ length: 8 }, () => ask(listening({ ...headers, 'last-event-id': id })));
  const responses = await Promise.all(asked);
  expect(reads).toEqual(responses.map(() => 1));
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
  expect(await responses.at(-1)?.text()).toContain('"result"');
});
