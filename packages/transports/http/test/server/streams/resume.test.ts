import { afterEach, describe, expect, it } from 'vitest';
import { memoryEventStore, type EventStore, type HttpHandlerOptions } from '../../../src/node.js';
import { idsIn, listening, messagesIn, modern, post, request, until } from '../calls.js';
import { greet, Reader, type Rig, rigs } from '../fixtures.js';

// Many exchanges each: where the machine is busy that takes longer than usual.

/** A store that takes a moment for everything, as one over a network does. */
function slow(store: EventStore): EventStore {
  const moment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2));
  return {
    append: (stream, text) => moment().then(() => store.append(stream, text)),
    readAfter: (id) => moment().then(() => store.readAfter(id)),
    deleteStream: (stream) => store.deleteStream(stream),
  };
}

const stores = [
  { kind: 'in memory', events: () => ({}) },
  { kind: 'that is slow', events: () => slow(memoryEventStore()) },
];
const ways = rigs.flatMap((rig) => stores.map((store) => ({ ...rig, ...store })));

describe.each(ways)('a stream of a session $name, with a store $kind', ({ serve, events }) => {
  let rig: Rig;
  const begin = async (
    options: HttpHandlerOptions = {},
    version?: string,
  ): Promise<Record<string, string>> => {
    rig = await serve({ eventStore: events(), ...options });
    return greet(rig, version);
  };
  const resume = async (headers: Record<string, string>, id: string): Promise<Reader> => {
    const response = await rig.ask(listening({ ...headers, 'last-event-id': id }));
    expect(response.status).toBe(200);
    return new Reader(response);
  };
  afterEach(() => rig.close());

  it('begins with an id and no data for clients that know such events, and only then', async () => {
    for (const [version, primed] of [
      ['2025-11-25', true],
      ['2025-06-18', false],
    ] as const) {
      const headers = await begin({}, version);
      const told = await (await rig.ask(post(request('tell', { count: 1 }), headers))).text();
      expect(/^id: \S+\ndata: \n\n/.test(told)).toBe(primed);
      expect(told).not.toContain('retry:');
      expect(idsIn(told)).toHaveLength(primed ? 3 : 2);
      await rig.close();
    }
    const headers = await begin();
    expect(await (await rig.ask(post(request('echo'), headers))).text()).not.toContain('id: ');
    expect(await (await rig.ask(modern('tell', { count: 1 }))).text()).not.toContain('id: ');
  });

  it('fault 10: continues after every cut with nothing lost and nothing twice', async () => {
    const headers = await begin();
    const count = 12;
    for (let cut = 1; cut <= count; cut += 1) {
      const first = new Reader(await rig.ask(post(request('tell', { count, hold: true }, cut), headers)));
      await first.until(`"at":${String(cut - 1)},`);
      await first.leave();
      // What came over the wire ends with the last whole event.
      const whole = first.text.slice(0, first.text.lastIndexOf('\n\n') + 2);
      await until(() => rig.desk.holding === 1);
      const second = await resume(headers, idsIn(whole).at(-1) ?? '');
      rig.desk.release();
      const rest = await second.rest();
      const got = [...messagesIn(whole), ...messagesIn(rest)];
      const ats = got.slice(0, -1).map(({ params }) => (params as { at: number }).at);
      expect(ats).toEqual(Array.from({ length: count }, (_, at) => at));
      expect(got.at(-1)).toMatchObject({ id: cut, result: { told: count } });
      const ids = [...idsIn(whole), ...idsIn(rest)];
      expect(new Set(ids).size).toBe(ids.length);
    }
    expect(rig.desk.sessions[0]?.lanesClosed).toEqual([]);
  });

  it('can be asked for when all of it was lost but its first id, also after its end', async () => {
    const headers = await begin();
    const first = new Reader(await rig.ask(post(request('tell', { count: 2, hold: true }), headers)));
    await first.until('data: \n\n');
    const [start = ''] = idsIn(first.text);
    await first.leave();
    await until(() => rig.desk.holding === 1);
    rig.desk.release();
    for (let round = 0; round < 2; round += 1) {
      const again = await resume(headers, start);
      expect(messagesIn(await again.rest())).toMatchObject([
        { method: 'told' },
        { method: 'told' },
        { id: 1 },
      ]);
    }
  });

  it('a second reader takes it over from a stalled one', async () => {
    const headers = await begin();
    const hanging = new Reader(await rig.ask(listening(headers)));
    await hanging.until('id: ');
    const taking = await resume(headers, idsIn(hanging.text).at(-1) ?? '');
    await taking.until(': open');
    await hanging.rest();
    await rig.ask(post(request('push', { a: 1 }), headers));
    await taking.until('pushed');
    expect(hanging.text).not.toContain('pushed');
    await taking.leave();
  });

  it('row 38: resuming the stream of a request counts for nothing', async () => {
    const headers = await begin();
    const standing = new Reader(await rig.ask(listening(headers)));
    const first = new Reader(await rig.ask(post(request('tell', { count: 1, hold: true }), headers)));
    await first.until('told');
    await first.leave();
    const second = await resume(headers, idsIn(first.text)[0] ?? '');
    rig.desk.release();
    expect(messagesIn(await second.rest())).toHaveLength(2);
    await rig.ask(post(request('push'), headers));
    await standing.until('pushed');
    await standing.leave();
  });

  it('what was pushed while no client read is there for a client that comes back', async () => {
    const headers = await begin();
    const first = new Reader(await rig.ask(listening(headers)));
    await first.until('id: ');
    await first.leave();
    for (let at = 0; at < 3; at += 1) await rig.ask(post(request('push', { at }), headers));
    const second = await resume(headers, idsIn(first.text).at(-1) ?? '');
    await rig.ask(post(request('push', { at: 3 }), headers));
    await second.until('"at":3');
    expect(messagesIn(second.text).map(({ params }) => params)).toEqual([0, 1, 2, 3].map((at) => ({ at })));
    await second.leave();
  });

  it('row 39: ids that are forged, foreign or odd give nothing', async () => {
    const ada = await begin();
    const bob = await greet(rig);
    const streams = await Promise.all(
      [ada, bob].map(async (headers, owner) =>
        (await rig.ask(post(request('tell', { count: 2, pad: `of ${String(owner)}` }), headers))).text(),
      ),
    );
    const [ofAda = [], ofBob = []] = streams.map(idsIn);
    for (const [headers, foreign] of [
      [ada, ofBob],
      [bob, ofAda],
    ] as const) {
      const odd = [...foreign, 'x', '0', 'x-1', `${foreign[0] ?? ''}0`, 'a'.repeat(10_000), 'é', 'a b'];
      for (const id of odd) {
        const response = await rig.ask(listening({ ...headers, 'last-event-id': id }));
        expect([id.slice(0, 50), response.status]).toEqual([id.slice(0, 50), 400]);
        expect(await response.text()).not.toContain('told');
      }
    }
    // Each id gives the rest of its own stream and of no other.
    for (const [owner, ids] of [ofAda, ofBob].entries()) {
      const rest = await (await resume(owner === 0 ? ada : bob, ids[0] ?? '')).rest();
      expect(rest).toContain(`of ${String(owner)}`);
      expect(rest).not.toContain(`of ${String(1 - owner)}`);
    }
  });

  it('fault 20: an event that a store keeps twice arrives once', async () => {
    const store = memoryEventStore();
    const twice: EventStore = {
      ...store,
      readAfter(id) {
        const found = store.readAfter(id);
        if (found === undefined || found instanceof Promise) return found;
        return { ...found, events: found.events.flatMap((event) => [event, event]) };
      },
    };
    const headers = await begin({ eventStore: twice });
    const told = await (await rig.ask(post(request('tell', { count: 2 }), headers))).text();
    const again = await resume(headers, idsIn(told)[0] ?? '');
    expect(messagesIn(await again.rest())).toHaveLength(3);
  });

  it('polling: the client is sent away with a time to come back, and gets all of it', async () => {
    const headers = await begin({ pollIntervalMs: 250 });
    const first = new Reader(await rig.ask(post(request('tell', { count: 2, hold: true }), headers)));
    const begun = await first.rest();
    expect(begun).toMatch(/^id: \S+\nretry: 250\ndata: \n\n$/);
    await until(() => rig.desk.holding === 1);
    const second = await (await resume(headers, idsIn(begun)[0] ?? '')).rest();
    expect(messagesIn(second)).toHaveLength(2);
    rig.desk.release();
    let third = '';
    while (!third.includes('data: {'))
      third = await (await resume(headers, idsIn(second).at(-1) ?? '')).rest();
    expect(messagesIn(third)).toMatchObject([{ id: 1, result: { told: 2 } }]);
    expect(rig.desk.sessions[0]?.lanesClosed).toEqual([]);

    const standing = await (await rig.ask(listening(headers))).text();
    await rig.ask(post(request('push'), headers));
    expect(messagesIn(await (await resume(headers, idsIn(standing)[0] ?? '')).rest())).toHaveLength(1);

    const older = await greet(rig, '2025-06-18');
    expect(messagesIn(await (await rig.ask(post(request('tell', { count: 2 }), older))).text())).toHaveLength(
      3,
    );
  });
});

describe.each(rigs)('fault 32: a store that fails $name', ({ serve }) => {
  it.each([
    [
      'by throwing',
      () => {
        throw new Error('disk full');
      },
    ],
    ['later', () => Promise.reject(new Error('disk full'))],
  ])('%s ends the stream and not the session', async (_how, append) => {
    const store: EventStore = { append, readAfter: () => undefined, deleteStream: () => undefined };
    const rig = await serve({ eventStore: store });
    const headers = await greet(rig);
    const response = rig
      .ask(post(request('tell', { count: 1, hold: true }), headers))
      .then((told) => told.text());
    await expect(response).rejects.toThrow();
    await until(() => rig.desk.sessions[0]?.lanesClosed.length === 1);
    rig.desk.release();
    expect((await rig.ask(post(request('echo'), headers))).status).toBe(200);
    expect(rig.desk.sessions[0]?.faults.length).toBeGreaterThan(0);
    await rig.close();
  });

  it('when it reads reports it', async () => {
    const store: EventStore = {
      ...memoryEventStore(),
      readAfter: () => {
        throw new Error('disk full');
      },
    };
    const rig = await serve({ eventStore: store });
    const headers = await greet(rig);
    const response = await rig.ask(listening({ ...headers, 'last-event-id': 'x-1' }));
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('disk');
    await rig.close();
  });
});

describe.each(rigs)('row 85: a store that returns invalid ids $name', ({ serve }) => {
  it.each(['a\nb', 'a\r\ndata: {"forged":1}', 'a\0'])(
    '%j ends the stream before anything of it is written',
    async (id) => {
      const store: EventStore = {
        append: () => id,
        readAfter: () => undefined,
        deleteStream: () => undefined,
      };
      const rig = await serve({ eventStore: store });
      const headers = await greet(rig, '2025-06-18');
      const response = await rig.ask(post(request('tell', { count: 1 }), headers)).catch(() => undefined);
      const reader = response === undefined ? undefined : new Reader(response);
      await reader?.rest().catch(() => undefined);
      const written = reader?.text ?? '';
      expect(written).not.toContain('forged');
      expect(messagesIn(written)).toEqual([]);
      expect((await rig.ask(post(request('echo'), headers))).status).toBe(200);
      await rig.close();
    },
  );
});
