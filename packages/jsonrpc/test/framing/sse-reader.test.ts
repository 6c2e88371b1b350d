import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SseReader } from '../../src/internal.js';
import { readEvents } from './stream-of-events.js';
import { bytes, cutAt } from './stream-of-lines.js';
import { rounds } from '../../../../vitest.rounds.js';

const message = (data: string, more: object = {}): object => ({ event: 'message', data, ...more });

describe('an event stream', () => {
  it.each<[string, unknown[]]>([
    ['', []],
    ['\n\n\n', []],
    ['data: a\n\n', [message('a')]],
    ['data:a\n\n', [message('a')]],
    ['data:  a \n\n', [message(' a ')]],
    ['data\n\n', [message('')]],
    ['data: a\ndata: b\n\n', [message('a\nb')]],
    ['data\ndata\n\n', [message('\n')]],
    ['data: a\r\rdata: b\r\n\r\ndata: c\n\n', [message('a'), message('b'), message('c')]],
    ['event: ping\ndata: 1\n\ndata: 2\n\n', [{ event: 'ping', data: '1' }, message('2')]],
    ['event: ping\n\n', []],
    ['id: 7\ndata:\n\n', [message('', { id: '7' })]],
    ['id: 7\n\n', [message('', { id: '7' })]],
    ['id\ndata: a\n\n', [message('a', { id: '' })]],
    [': hello\ndata: a\n: there\n\n', [message('a')]],
    ['data: a:b: c\nother: 1\nDATA: 2\n data: 3\n\n', [message('a:b: c')]],
    ['\ufeffdata: a\n\n\ufeffdata: b\n\ndata: c\n\n', [message('a'), message('c')]],
    ['data: é😀\u2028\u0085\n\n', [message('é😀\u2028\u0085')]],
  ])('reads %j', (text, events) => {
    const stream = bytes(text);
    expect(readEvents([stream])).toEqual(events);
    for (const [offset] of stream.entries()) expect(readEvents(cutAt(stream, offset))).toEqual(events);
    expect(readEvents(cutAt(stream, ...stream.keys()))).toEqual(events);
  });

  it.each<[string, number | undefined]>([
    ['5000', 5_000],
    ['0', 100],
    ['99', 100],
    ['999999999999999999999999', 60_000],
    ['9'.repeat(500), 60_000],
    ['-1', undefined],
    ['1e99', undefined],
    ['1.5', undefined],
    ['abc', undefined],
    ['', undefined],
  ])('row 86: keeps a retry of %s between 100 ms and 60 s', (value, retry) => {
    const expected = retry === undefined ? message('a') : message('a', { retry });
    expect(readEvents([bytes(`retry: ${value}\ndata: a\n\n`)])).toEqual([expected]);
  });

  it('row 86: ignores an id with a NUL', () => {
    expect(readEvents([bytes('id: a\0b\ndata: 1\n\n')])).toEqual([message('1')]);
    expect(readEvents([bytes('id: a\nid: b\0\ndata: 1\n\n')])).toEqual([message('1', { id: 'a' })]);
  });

  it('row 86: a flood of comments keeps no memory and breaks no event', () => {
    const said: unknown[] = [];
    const reader = new SseReader({
      maxEventBytes: 64,
      onEvent: (event) => said.push(event),
      onFault: (error) => said.push(error.code),
    });
    const flood = bytes(':'.repeat(1_000));
    for (const start of [':', '\ndata: a\n:', 'x\n\n:', '\n:']) {
      reader.push(bytes(start));
      for (let chunk = 0; chunk < 1_000; chunk++) reader.push(flood);
    }
    expect(said).toEqual([message('a')]);
  });

  it('row 86: an event over the limit is one fault, the next one is read', () => {
    const value = 'x'.repeat(64);
    const whole = bytes(`data: ${value}\n\ndata: ${value}x\ndata: y\nid: 1\n: c\n\ndata: b\n\n`);
    const expected = [message(value), '<OVERFLOW>', message('b')];
    expect(readEvents([whole], 64)).toEqual(expected);
    for (const [offset] of whole.entries()) expect(readEvents(cutAt(whole, offset), 64)).toEqual(expected);
    expect(readEvents(cutAt(whole, ...whole.keys()), 64)).toEqual(expected);
  });

  it.each(['event', 'id'])(
    'row 86: an %s of more than 65,536 bytes is one fault, the next event is read',
    (name) => {
      const said = (length: number) =>
        readEvents([bytes(`${name}: ${'x'.repeat(length)}\ndata: a\n\ndata: b\n\n`)]);
      expect(said(65_537)).toEqual(['<OVERFLOW>', message('b')]);
      expect(said(65_536)).toHaveLength(2);
      expect(said(65_536)[1]).toEqual(message('b'));
    },
  );

  it('row 86: an event that never ends meets the limit, in one line or in many', () => {
    for (const piece of ['x', 'data:\n', 'data: x\n']) {
      const faults: string[] = [];
      const reader = new SseReader({
        maxEventBytes: 1_000,
        onEvent: () => faults.push('an event'),
        onFault: (error) => faults.push(error.code),
      });
      for (let index = 0; index < 5_000; index++) reader.push(bytes(piece));
      expect(faults).toEqual(['OVERFLOW']);
    }
  });

  it('row 6: an event that is not UTF-8 is one fault, the next one is read', () => {
    const stream = bytes('data: a', 0xff, '\n\nevent: ', 0xc3, '\ndata: b\n\ndata: c\n\n');
    expect(readEvents([stream])).toEqual(['<PARSE_ERROR>', '<PARSE_ERROR>', message('c')]);
  });

  it('fault 9: an event that is cut is never delivered', () => {
    const stream = bytes('id: 1\ndata: {"a":1}\n\n');
    for (let to = 1; to < stream.length; to++)
      expect(readEvents([stream.slice(0, to)])).toEqual(['<TRUNCATED>']);
  });

  it('delivers nothing after it was stopped, not even of the same chunk', () => {
    const said: string[] = [];
    const reader = new SseReader({
      onEvent: ({ data }) => {
        said.push(data);
        reader.stop();
      },
      onFault: (error) => said.push(error.code),
    });
    reader.push(bytes('data: a\n\ndata: b\n\n'));
    reader.push(bytes('data: c\n\n'));
    reader.end();
    expect(said).toEqual(['a']);
  });

  it('reports each comment, whole or cut', () => {
    const stream = bytes(': a\ndata: 1\n:\n\n:keep-alive\n\n');
    for (const [offset] of stream.entries()) {
      let comments = 0;
      const reader = new SseReader({
        onEvent: () => undefined,
        onFault: () => undefined,
        onComment: () => (comments += 1),
      });
      for (const chunk of cutAt(stream, offset)) reader.push(chunk);
      expect(comments).toBe(3);
    }
  });

  it('emits an event as soon as its end is certain', () => {
    const said: string[] = [];
    const reader = new SseReader({
      onEvent: ({ data }) => said.push(data),
      onFault: () => said.push('fault'),
    });
    reader.push(bytes('data: a\r\n\r'));
    expect(said).toEqual(['a']);
    reader.push(bytes('\ndata: b\r\r'));
    expect(said).toEqual(['a', 'b']);
  });

  it('any bytes in any chunks give the same events', () => {
    const part = fc.constantFrom<string | number>(
      ...[
        'data',
        'data:',
        'data: ',
        'id: ',
        'event: ',
        'retry: ',
        '10',
        ':',
        'a',
        'é',
        '😀',
        ' ',
        '\0',
        '{}',
      ],
      ...['\n', '\n', '\n\n', '\r', '\r\n', '\r\n\r\n', 'x'.repeat(40), 0xff, 0xc3, 0xef, 0xbb, 0xbf],
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), fc.array(fc.nat(200)), (parts, offsets) => {
        const stream = bytes(...parts);
        const cuts = offsets.map((offset) => Math.min(offset, stream.length));
        expect(readEvents(cutAt(stream, ...cuts), 32)).toEqual(readEvents([stream], 32));
      }),
      { numRuns: rounds(2_000) },
    );
  });

  it('rejects a limit that is not a number above zero', () => {
    const callbacks = { onEvent: () => undefined, onFault: () => undefined };
    for (const maxBytes of [0, -1, Number.NaN])
      expect(() => new SseReader({ ...callbacks, maxEventBytes: maxBytes })).toThrow(TypeError);
  });
});
