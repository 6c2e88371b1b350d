import { describe, expect, it } from 'vitest';
import { memoryEventStore, type EventStore, type EventReplay } from '../../../src/node.js';

/** What one event counts besides its text, in characters. */
const perEvent = 64;

function add(store: EventStore, stream: string, ...texts: string[]): string[] {
  return texts.map((text) => store.append(stream, text) as string);
}

function rest(store: EventStore, id: string): string[] | undefined {
  return (store.readAfter(id) as EventReplay | undefined)?.events.map(({ text }) => text);
}

describe('the store in memory', () => {
  it('returns the later events of the same stream', () => {
    const store = memoryEventStore();
    const [one = '', two = ''] = add(store, 'a', '1', '2');
    add(store, 'b', 'x');
    add(store, 'a', '3');
    expect(rest(store, one)).toEqual(['2', '3']);
    expect(rest(store, two)).toEqual(['3']);
    expect(store.readAfter(one)).toMatchObject({ streamId: 'a' });
  });

  it.each([
    '',
    'a',
    'a-',
    'a-0',
    'a-4',
    'a-01',
    'a-1.0',
    'a-1e1',
    'b-1',
    'a-9007199254740993',
    '__proto__-1',
    'a-1\n',
  ])('knows no "%s"', (id) => {
    const store = memoryEventStore();
    add(store, 'a', '1', '2', '3');
    expect(store.readAfter(id)).toBeUndefined();
  });

  it('keeps a bounded number of events of one stream, and reports older ids as unknown', () => {
    const store = memoryEventStore({ maxEventsPerStream: 3 });
    const ids = add(store, 'a', '1', '2', '3', '4', '5');
    expect(ids.map((id) => rest(store, id))).toEqual([undefined, ['3', '4', '5'], ['4', '5'], ['5'], []]);
  });

  it('keeps a bounded length of one stream and of all', () => {
    const store = memoryEventStore({ maxCharactersPerStream: 10, maxTotalCharacters: 16 + 3 * perEvent });
    const a = add(store, 'a', '12345', '12345', '12345');
    expect(a.map((id) => rest(store, id)?.length)).toEqual([2, 1, 0]);
    const b = add(store, 'b', '12345', '12345');
    expect(b.map((id) => rest(store, id)?.length)).toEqual([1, 0]);
    expect(rest(store, a[1] ?? '')).toEqual(['12345']);
    expect(rest(store, a[0] ?? '')).toBeUndefined();
    // One that is larger than everything is kept alone: it was just sent.
    const [big = ''] = add(store, 'c', 'x'.repeat(100));
    expect(rest(store, big)).toEqual([]);
  });

  it('releases its buffer space', () => {
    const store = memoryEventStore({ maxTotalCharacters: 10 + 2 * perEvent });
    const [gone = ''] = add(store, 'a', '1234567');
    store.deleteStream('a');
    store.deleteStream('a');
    expect(store.readAfter(gone)).toBeUndefined();
    const [first = ''] = add(store, 'b', '12345', '12345');
    expect(rest(store, first)).toEqual(['12345']);
  });
});

it('streams that were emptied for others are known, and take new events', () => {
  const store = memoryEventStore({ maxTotalCharacters: 4 + perEvent });
  const names = Array.from({ length: 200 }, (_, at) => `s${String(at)}`);
  const ids = names.flatMap((name) => add(store, name, '1234'));
  expect(rest(store, ids[0] ?? '')).toEqual([]);
  const [again = ''] = add(store, 's0', '12', '34');
  expect(rest(store, again)).toEqual(['34']);
  expect(rest(store, ids.at(-1) ?? '')).toEqual([]);
});
