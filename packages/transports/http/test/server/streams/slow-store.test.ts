import { MemoryBudget } from '@rxmcp/transport';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventStore } from '../../../src/node.js';
import { memoryEventStore } from '../../../src/node.js';
import { idsIn, listening, messagesIn, post, request, until } from '../calls.js';
import { greet, Reader } from '../fixtures.js';
import { served } from '../served.js';

const mebibyte = 1024 * 1024;

/** A store that answers when the test says so. */
function heldStore() {
  const store = memoryEventStore();
  const waiting: (() => void)[] = [];
  const turn = (): Promise<void> => new Promise((resolve) => waiting.push(resolve));
  let isHeld = false;
  const held: EventStore = {
    append: (...event) => (isHeld ? turn().then(() => store.append(...event)) : store.append(...event)),
    readAfter: (id) => (isHeld ? turn().then(() => store.readAfter(id)) : store.readAfter(id)),
    deleteStream: (stream) => store.deleteStream(stream),
  };
  return {
    store: held,
    waiting,
    hold: () => void (isHeld = true),
    /** Answers what waits, and from now on at once. */
    release: () => {
      isHeld = false;
      for (const go of waiting.splice(0)) go();
    },
  };
}

describe('messages that wait for an event store', () => {
  it('are charged to their caller until they are stored', async () => {
    const memory = new MemoryBudget({ maxBytes: 8 * mebibyte });
    const { store, ...slow } = heldStore();
    const rig = await served({ eventStore: store }, memory);
    const headers = await greet(rig);
    slow.hold();
    const response = rig.ask(post(request('tell', { count: 4, pad: 'x'.repeat(100_000) }), headers));
    await until(() => memory.heldBytes > 100_000);
    expect(memory.stats().largest).toMatchObject([{ holder: expect.stringContaining('address') as string }]);
    slow.release();
    expect(messagesIn(await (await response).text())).toHaveLength(5);
    // The stream can be resumed.
    await until(() => memory.heldBytes === 1_024);
  });

  it('end their stream beyond the limit, and not the session', async () => {
    const memory = new MemoryBudget({ maxBytes: 4 * mebibyte });
    const { store, ...slow } = heldStore();
    const rig = await served({ eventStore: store }, memory);
    const headers = await greet(rig);
    await new Reader(await rig.ask(listening(headers))).until('id: ');
    slow.hold();
    const pushes = Array.from({ length: 6 }, (_, id) =>
      rig.ask(post(request('push', { length: 600_000 }, id + 1), headers)),
    );
    await until(() => rig.desk.sessions[0]?.faults[0] !== undefined);
    expect(rig.desk.sessions[0]?.faults).toMatchObject([
      { code: 'OVERFLOW', message: expect.stringContaining('wait for the event store') as string },
    ]);
    slow.release();
    for (const push of pushes) await (await push).text();
    expect((await rig.ask(post(request('echo'), headers))).status).toBe(200);
    // Until then the session keeps messages for its next reader.
    await rig.close();
    await until(() => memory.heldBytes === 0);
  });

  it('are not looked up for more than 64 readers of a session at a time', async () => {
    const { store, ...slow } = heldStore();
    const rig = await served({ eventStore: store });
    const headers = await greet(rig);
    const [id = ''] = idsIn(await (await rig.ask(post(request('tell', { count: 1 }), headers))).text());
    const resume = () => rig.ask(listening({ ...headers, 'last-event-id': id }));
    // A second time, since each reader gives its place back once.
    for (let round = 0; round < 2; round += 1) {
      slow.hold();
      const readers: Promise<Response>[] = [];
      for (let at = 1; at <= 64; at += 1) {
        readers.push(resume());
        await until(() => slow.waiting.length === at);
      }
      const more = await resume();
      expect([more.status, more.headers.get('retry-after')]).toEqual([503, '1']);
      expect(await more.text()).toContain('too many streams of this session are being resumed');
      slow.release();
      for (const reader of readers) {
        const response = await reader;
        await response.body?.cancel();
        expect(response.status).toBe(200);
      }
    }
    await rig.close();
  });

  it('or for a replay leave no charge behind, after any sequence', async () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.nat({ max: 60_000 }).map((length) => ({ length })) },
      { weight: 1, arbitrary: fc.constantFrom('hold', 'release', 'resume', 'leave') },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const memory = new MemoryBudget({ maxBytes: mebibyte });
        const { store, ...slow } = heldStore();
        const rig = await served({ eventStore: store }, memory);
        const headers = await greet(rig);
        let reader = new Reader(await rig.ask(listening(headers)));
        const [first = ''] = idsIn(await reader.until('\n\n'));
        const open: Promise<unknown>[] = [];
        for (const [id, one] of steps.entries()) {
          if (typeof one === 'object') {
            const pushed = post(request('push', { length: one.length }, id), headers);
            open.push(rig.ask(pushed).then((response) => response.text()));
          } else if (one === 'hold') slow.hold();
          else if (one === 'release') slow.release();
          else if (one === 'leave') await reader.leave();
          else
            open.push(
              rig.ask(listening({ ...headers, 'last-event-id': first })).then(
                async (response) => {
                  if (response.status === 200) reader = new Reader(response);
                  else await response.text();
                },
                // A later reader takes the place of an earlier one, whose connection is cut, before its response too.
                () => undefined,
              ),
            );
        }
        slow.release();
        await Promise.all(open);
        await rig.close();
        slow.release();
        await until(() => memory.heldBytes === 0);
      }),
      { numRuns: 20 },
    );
  });
});
