import { defineClient, defineServer, reconnect } from '@rxmcp/core';
import { http } from '@rxmcp/http';
import { fetchHandler } from '@rxmcp/http/fetch';
import { offerResources, resource, resources } from '@rxmcp/resources';
import type { Recording } from '@rxmcp/testing';
import { record, virtualTime } from '@rxmcp/testing';
import { map, switchMap, timer } from 'rxjs';
import { afterEach, expect, it, vi } from 'vitest';
import { exhaustive } from '../../../../vitest.exhaustive.js';

const hour = 3_600_000;
const url = 'http://127.0.0.1/mcp';
const info = { name: 'day', version: '1.0.0' };

interface Day {
  readonly recording: Recording;
  readonly seen: string[];
  readonly requests: number;
  readonly cuts: number;
  readonly keepAlives: number;
}

afterEach(() => vi.restoreAllMocks());

/** A network within the process, whose proxy cuts each stream after an hour, whatever it carries. */
function proxied(
  handle: (request: Request) => Promise<Response>,
  counts: { requests: number; cuts: number; keepAlives: number },
) {
  return async (to: string, init: RequestInit): Promise<Response> => {
    counts.requests += 1;
    const response = await handle(new Request(to, init));
    if (response.body === null || response.headers.get('content-type') !== 'text/event-stream')
      return response;
    const reader = response.body.getReader();
    const alarm = setTimeout(() => {
      counts.cuts += 1;
      void reader.cancel();
    }, hour);
    const colon = ':'.charCodeAt(0);
    const read = async (): Promise<ReadableStreamReadResult<Uint8Array>> => {
      const chunk = await reader.read();
      if (chunk.done) clearTimeout(alarm);
      else if (chunk.value[0] === colon) counts.keepAlives += 1;
      return chunk;
    };
    const cancel = (reason: unknown): Promise<void> => {
      clearTimeout(alarm);
      return reader.cancel(reason);
    };
    // The reader of the server's own stream: a second stream in between would cost more than the rest of the day.
    return Object.defineProperty(response, 'body', {
      value: { getReader: () => ({ read, cancel, releaseLock: () => undefined }) },
    });
  };
}

/** A day of one client that watches a clock which changes each three hours. */
async function aDay(version: string): Promise<Day> {
  const counts = { requests: 0, cuts: 0, keepAlives: 0 };
  const seen: string[] = [];
  let recording: Recording;
  {
    using time = virtualTime();
    const clock = resource('clock://now', {}, timer(0, 3 * hour).pipe(map(() => new Date().toISOString())));
    let handler = fetchHandler(defineServer({ info, offers: [offerResources([clock])] }));
    const fetch = proxied((request) => handler(request), counts);
    const wire = record(http(url, { fetch }), { maxFrames: 100_000 });
    const watching = defineClient({ info, versions: [version] })
      .live(wire.recorded)
      .pipe(
        switchMap((remote) => resources(remote).watch('clock://now')),
        reconnect(),
      )
      .subscribe({
        next: ([now]) => seen.push(now !== undefined && 'text' in now ? String(now.text) : '?'),
        error: (error) => seen.push(String(error)),
      });
    await time.advance(12 * hour);
    // At noon the server is restarted: it knows no session any more.
    const before = handler;
    handler = fetchHandler(defineServer({ info, offers: [offerResources([clock])] }));
    await time.run(before.close());
    await time.advance(12 * hour);
    watching.unsubscribe();
    await time.advance(hour);
    recording = wire.recording();
    await time.run(handler.close());
  }
  return { recording, seen, ...counts };
}

it.each(['2026-07-28', '2025-11-25'])(
  'a day over HTTP at %s is the same each time, without a timer',
  async (version) => {
    const real = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'setInterval')];
    const first = await aDay(version);
    for (let run = 0; run < (exhaustive ? 3 : 1); run += 1) {
      const { recording, seen, requests, cuts, keepAlives } = await aDay(version);
      expect({ recording, seen, requests, cuts, keepAlives }).toEqual({
        recording: first.recording,
        seen: first.seen,
        requests: first.requests,
        cuts: first.cuts,
        keepAlives: first.keepAlives,
      });
    }
    expect(first.cuts).toBeGreaterThan(20);
    expect(first.keepAlives).toBeGreaterThan(5_000);
    for (const timer of real) expect(timer).not.toHaveBeenCalled();
  },
);
