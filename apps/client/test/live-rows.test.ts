import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LiveRows } from '../src/output/live-rows.js';
import { LiveTable } from '../src/output/live-table.js';
import { Media, pictureProtocol } from '../src/output/media.js';
import { Page } from '../src/output/page.js';
import { progressRow } from '../src/output/progress-row.js';
import { QuotedStream } from '../src/output/quoted-stream.js';
import { cutRow, printable, quoted, rows } from '../src/printable.js';
import { screenOf } from '../../../vitest.terminal.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

function screen(traits: object = { isTTY: true, columns: 40, rows: 5 }): {
  live: LiveRows;
  stream: PassThrough;
  raw: () => string;
} {
  const stream = Object.assign(new PassThrough(), traits);
  let raw = '';
  stream.setEncoding('utf8').on('data', (text: string) => (raw += text));
  return { live: new LiveRows(stream, {}), stream, raw: () => raw };
}

const page = (columns: number): Page => new Page(false, () => columns, new Media(undefined));
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('live rows', () => {
  it('stay below what is written, and their last state can stay', async () => {
    const { live, stream, raw } = screen();
    live.set('a', ['one']);
    vi.runAllTimers();
    live.set('a', ['two']);
    live.above(() => stream.write('a line\n'));
    live.set('b', ['other']);
    vi.runAllTimers();
    live.leave('a');
    live.remove('b');
    await turn();
    expect(screenOf(raw())).toEqual(['a line', 'two', '']);
  });

  it('are drawn at most every 50 ms, however often they change', async () => {
    const { live, raw } = screen();
    for (let at = 0; at < 1_000; at += 1) live.set('a', [`${at}`]);
    vi.runAllTimers();
    for (let at = 0; at < 1_000; at += 1) live.set('a', [`${at}`]);
    vi.runAllTimers();
    await turn();
    expect(raw()).toBe('999\n\u001b[1A\u001b[J999\n');
  });

  it('never exceed the height of the terminal, where they could not be erased', async () => {
    const { live, raw } = screen();
    live.set('a', ['1', '2', '3', '4', '5', '6']);
    vi.runAllTimers();
    await turn();
    expect(raw()).toBe('1\n2\n3\n4\n');
  });

  it.each([{}, { isTTY: false }])('are not drawn elsewhere: %j', async (traits) => {
    const { live, raw } = screen(traits);
    live.set('a', ['one']);
    live.leave('a');
    vi.runAllTimers();
    await turn();
    expect(raw()).toBe('');
  });

  it('are hidden while a person types', async () => {
    const { live, raw } = screen();
    live.hide();
    live.set('a', ['one']);
    vi.runAllTimers();
    await turn();
    expect(raw()).toBe('');
    live.show();
    await turn();
    expect(raw()).toBe('one\n');
  });
});

describe.each([40, 120])('with %i columns', (columns) => {
  it('a table and a bar fit, whatever a server sends', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), (one, other) => {
        const { live } = screen();
        const set = vi.spyOn(live, 'set');
        new LiveTable(live, page(columns), ['name', 'count', 'value']).set('k', [one, '12', other]);
        const bar = progressRow(one, { progress: 1, total: 3, message: other }, page(columns));
        for (const row of [...(set.mock.lastCall?.[1] ?? []), bar]) {
          expect(row).toBe(printable(row));
          expect(row).not.toContain('\n');
          expect(cutRow(row, columns)).toBe(row);
        }
      }),
    );
  });
});

describe('a quoted text in pieces', () => {
  const words = fc.string({
    unit: fc.constantFrom('a', ' ', '\n', '\r\n', '\t', '\u001b', '字', '👍', '\u202e'),
  });

  it('is what the whole text is', () => {
    fc.assert(
      fc.property(words, fc.array(fc.nat(5)), (text, sizes) => {
        // A blank line has no spaces of its own.
        const trimmed = text.replace(/^[ \t]+(?=\r?$)/gm, '').trimEnd();
        const stream = new QuotedStream(() => 40);
        let [out, rest] = ['', trimmed];
        for (const size of [...sizes, trimmed.length]) {
          out += stream.add(rest.slice(0, size));
          rest = rest.slice(size);
        }
        out += stream.end();
        const whole = trimmed === '' ? '' : `${rows(printable(quoted(trimmed)), 40)}\n`;
        expect(out).toBe(whole);
      }),
    );
  });
});

describe('pictures', () => {
  const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]).toString('base64');

  it.each([
    [{ TERM: 'xterm-kitty' }, 'kitty'],
    [{ TERM_PROGRAM: 'iTerm.app' }, 'iterm2'],
    [{ TERM_PROGRAM: 'WezTerm' }, 'iterm2'],
    [{ TERM: 'foot-extra' }, 'sixel'],
    [{ TERM: 'xterm-256color', KONSOLE_VERSION: '230800' }, 'sixel'],
    [{ TERM: 'xterm-256color', KONSOLE_VERSION: '211203' }, undefined],
    [{ TERM: 'xterm-kitty', TMUX: '/tmp/tmux' }, undefined],
    [{ TERM: 'xterm' }, undefined],
  ])('%j shows them by %s', (env, protocol) => {
    expect(pictureProtocol(env)).toBe(protocol);
  });

  it('nothing but base64 gets between the control characters', () => {
    const forged = `${png}\u001b\\\u0007\u001b[2J`;
    expect(new Media('kitty').show(forged, 'image/png')).toMatch(
      // eslint-disable-next-line no-control-regex
      /^\u001b_Gf=100,a=T,m=0;[A-Za-z0-9+/=]+\u001b\\$/,
    );
    expect(new Media('iterm2').show(forged, 'image/png')).toMatch(
      // eslint-disable-next-line no-control-regex
      /^\u001b\]1337;File=inline=1;size=\d+:[A-Za-z0-9+/=]+\u0007$/,
    );
  });

  it('a large one is sent to kitty in pieces of 4,096 characters', () => {
    const large = Buffer.concat([Buffer.from(png, 'base64'), Buffer.alloc(9_000)]).toString('base64');
    const pieces = new Media('kitty').show(large, 'image/png').split('\u001b\\').slice(0, -1);
    expect(pieces.map((piece) => /m=([01]);/.exec(piece)?.[1])).toEqual(['1', '1', '0']);
    expect(Math.max(...pieces.map((piece) => piece.split(';')[1]?.length ?? 0))).toBe(4_096);
  });
});
