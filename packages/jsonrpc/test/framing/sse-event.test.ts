import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeSseEvent, type SseEvent } from '../../src/framing/sse-event.js';
import { readEvents } from './stream-of-events.js';
import { bytes } from './stream-of-lines.js';

describe('encodeSseEvent', () => {
  it.each<[SseEvent, string]>([
    [{ data: '{}' }, 'data: {}\n\n'],
    [{ data: '' }, 'data: \n\n'],
    [{ event: 'message', id: '1', data: 'a', retry: 500 }, 'event: message\nid: 1\nretry: 500\ndata: a\n\n'],
    [{ data: 'a\nb\r\nc\rd' }, 'data: a\ndata: b\ndata: c\ndata: d\n\n'],
  ])('writes %j', (event, text) => {
    expect(encodeSseEvent(event)).toBe(text);
  });

  it.each<SseEvent>([
    { data: '', id: '1\ndata: evil' },
    { data: '', id: '1\r' },
    { data: '', id: '\0' },
    { data: '', event: 'a\nb' },
    { data: '', retry: 1.5 },
    { data: '', retry: -1 },
    { data: '', retry: '1\ndata: evil' as unknown as number },
  ])('row 85: throws at %j', (event) => {
    expect(() => encodeSseEvent(event)).toThrow(TypeError);
  });

  it('row 85: one event in is one event out', () => {
    const text = fc.string({ unit: 'grapheme' });
    const inOneLine = text.filter((value) => !/[\r\n\0]/.test(value));
    const event = fc.record(
      {
        data: text,
        id: inOneLine,
        event: inOneLine.filter((v) => v !== ''),
        retry: fc.integer({ min: 100, max: 60_000 }),
      },
      { requiredKeys: ['data'] },
    );
    fc.assert(
      fc.property(event, (said) => {
        const data = said.data.replace(/\r\n|\r/g, '\n');
        expect(readEvents([bytes(encodeSseEvent(said))])).toEqual([{ event: 'message', ...said, data }]);
      }),
    );
  });
});
