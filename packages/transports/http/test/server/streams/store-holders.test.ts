import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { memoryEventStore, type EventReplay } from '../../../src/node.js';
import { listening, messagesIn, post, request } from '../calls.js';
import { greet, type Rig, rigs } from '../fixtures.js';

/** What one event counts besides its text, in characters. */
const perEvent = 64;

/** A stream, with the lengths of its stored events. */
interface Stream {
  readonly name: string;
  holder: string;
  first: number;
  readonly lengths: number[];
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** The rules of the store, counted anew each time. */
class Model {
  readonly streams = new Map<string, Stream>();
  /** The streams with events, the oldest first. */
  private readonly order = new Set<Stream>();
  /** The holders, the one whose size changed last at the end. */
  private readonly changed = new Set<string>();

  constructor(private readonly maxTotal: number) {}

  append(holder: string, name: string, length: number): void {
    const stream = this.streams.get(name) ?? { name, holder, first: 1, lengths: [] };
    this.streams.set(name, stream);
    if (stream.lengths.length === 0) stream.holder = holder;
    const own = stream.holder;
    let isAlone = false;
    this.touch(own);
    const size = (of: string): number => this.size(of) + (of === own ? length + perEvent : 0);
    while (sum([...this.changed].map(size)) > this.maxTotal) {
      const left = [...this.changed].filter((of) => size(of) > 0 && (of !== own || !isAlone));
      const [largest] = left.sort((one, other) => size(other) - size(one));
      const oldest = [...this.order].find((each) => each.holder === largest);
      if (largest === undefined) break;
      if (oldest === undefined) isAlone = true;
      else this.drop(oldest);
    }
    if (isAlone) this.touch(own);
    stream.lengths.push(length);
    this.order.add(stream);
  }

  delete(name: string): void {
    const stream = this.streams.get(name);
    if (stream === undefined) return;
    this.streams.delete(name);
    this.order.delete(stream);
    if (stream.lengths.length > 0) this.touch(stream.holder);
  }

  private drop(stream: Stream): void {
    stream.lengths.shift();
    stream.first += 1;
    if (stream.lengths.length === 0) this.order.delete(stream);
    this.touch(stream.holder);
  }

  private size(holder: string): number {
    const own = [...this.streams.values()].filter((stream) => stream.holder === holder);
    return sum(own.flatMap(({ lengths }) => lengths.map((length) => length + perEvent)));
  }

  private touch(holder: string): void {
    this.changed.delete(holder);
    this.changed.add(holder);
  }
}

const names = ['a', 'b', 'c'];
const streams = names.flatMap((holder) => [1, 2, 3].map((at) => `${holder}${String(at)}`));
// Sizes that differ are in different classes of the store.
const length = fc.constantFrom(0, 0, 64, 128);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constantFrom(...streams), length) },
  { weight: 2, arbitrary: fc.tuple(fc.constantFrom(...streams), fc.constant('delete' as const)) },
);

describe('the events of many callers', () => {
  it('are stored up to the limit, and the caller that stores most loses its oldest, after any sequence', () => {
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 50, maxLength: 150 }),
        fc.integer({ min: 1, max: 12 }),
        (steps, events) => {
          const maxTotalCharacters = events * 2 * perEvent;
          const store = memoryEventStore({ maxTotalCharacters });
          const model = new Model(maxTotalCharacters);
          const last = new Map<string, string>();
          const actual: unknown[] = [];
          const expected: unknown[] = [];
          for (const [name, what] of steps) {
            if (what === 'delete') {
              model.delete(name);
              store.deleteStream(name);
              last.delete(name);
            } else {
              model.append(name.charAt(0), name, what);
              last.set(name, store.append(name, 'x'.repeat(what), name.charAt(0)) as string);
            }
            for (const each of last.keys()) {
              const { first = 1, lengths = [] } = model.streams.get(each) ?? {};
              const [before, end] = [Math.max(1, first - 1), first + lengths.length - 1];
              const replay = store.readAfter(`${each}-${String(before)}`) as EventReplay;
              actual.push(last.get(each), ...replay.events.map(({ text }) => text.length));
              expected.push(`${each}-${String(end)}`, ...(first === 1 ? lengths.slice(1) : lengths));
              if (before > 1) actual.push(store.readAfter(`${each}-${String(before - 1)}`));
              if (before > 1) expected.push(undefined);
            }
          }
          expect(actual).toEqual(expected);
        },
      ),
      { numRuns: 200 },
    );
  });

  it.each([0, 1, 1_000])(
    'a flood of events of %i characters removes those of no other caller',
    (characters) => {
      const store = memoryEventStore({ maxTotalCharacters: 100_000 });
      const others = Array.from({ length: 9 }, (_, at) => `other${String(at)}`);
      const ids = others.map((name) => {
        const [id = ''] = Array.from(
          { length: 50 },
          () => store.append(name, 'x'.repeat(100), name) as string,
        );
        return id;
      });
      for (let event = 0; event < 20_000; event += 1)
        store.append(`flood${String(event % 100)}`, 'y'.repeat(characters), 'flood');
      for (const id of ids) expect((store.readAfter(id) as EventReplay).events).toHaveLength(49);
      // What the others leave belongs to the flood.
      const room = 100_000 - others.length * 50 * (100 + perEvent);
      const kept = Array.from({ length: 100 }, (_, at) => {
        const replay = store.readAfter(`flood${String(at)}-200`);
        expect(replay).toBeDefined();
        for (let number = 199; number > 0; number -= 1) {
          if (store.readAfter(`flood${String(at)}-${String(number)}`) === undefined) return 199 - number;
        }
        return 199;
      });
      const most = room / (characters + perEvent);
      expect(sum(kept)).toBeLessThanOrEqual(most);
      // One event of each stream cannot be counted by the positions that can be read.
      expect(sum(kept)).toBeGreaterThan(most - 101);
    },
  );

  it('have by default at most an eighth of the heap at two bytes a character', () => {
    const heap = { getHeapStatistics: () => ({ heap_size_limit: 16 * (2 * (500 + perEvent)) }) };
    const builtin = vi.spyOn(process, 'getBuiltinModule').mockReturnValue(heap as never);
    onTestFinished(() => builtin.mockRestore());
    const store = memoryEventStore();
    const ids = [1, 2, 3].map(() => store.append('a', 'x'.repeat(500)) as string);
    expect(ids.map((id) => (store.readAfter(id) as EventReplay | undefined)?.events.length)).toEqual([
      2, 1, 0,
    ]);
    store.append('a', '');
    expect(store.readAfter(ids[0] ?? '')).toBeUndefined();
  });
});

describe.each(rigs)('a caller whose stream floods $name', ({ serve }) => {
  it('removes only its own events, and others can resume theirs', async () => {
    const rig = await serve({
      authenticate: (head) => ({ principal: head.headerValues('authorization')[0] ?? '' }),
      eventStore: { maxTotalCharacters: 20_000 },
    });
    onTestFinished(() => rig.close());
    const as = async (principal: string): Promise<Record<string, string>> => {
      const headers = { authorization: principal };
      return greet(rig satisfies Rig, '2025-11-25', headers);
    };
    const [ada, bob] = [await as('ada'), await as('bob')];
    const told = await (await rig.ask(post(request('tell', { count: 3 }), ada))).text();
    const id = /id: (\S+)/.exec(told)?.[1] ?? '';
    for (let stream = 0; stream < 10; stream += 1)
      await (await rig.ask(post(request('tell', { count: 100, pad: 'x'.repeat(100) }), bob))).text();
    const rest = await rig.ask(listening({ ...ada, 'last-event-id': id }));
    expect(rest.status).toBe(200);
    expect(messagesIn(await rest.text())).toHaveLength(4);
  });
});
