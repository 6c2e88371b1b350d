import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { LiveRows } from '../src/output/live-rows.js';
import { Media } from '../src/output/media.js';
import { Page } from '../src/output/page.js';
import { Terminal, type TerminalParts } from '../src/terminal.js';

/** A terminal with a person. */
function partsOf(output: PassThrough): TerminalParts {
  return {
    asks: true,
    live: new LiveRows(output, {}),
    page: new Page(false, () => 80, new Media(undefined)),
  };
}

interface Desk {
  readonly terminal: Terminal;
  readonly shown: () => string;
  /** Writes, and resolves once it was read. */
  readonly type: (text: string) => Promise<void>;
}

/** @param traits - what a real terminal has: `isTTY` of its input, `columns` of its output */
function desk(traits: { readonly isTTY?: boolean; readonly columns?: number } = {}): Desk {
  const input = Object.assign(new PassThrough(), traits);
  const output = Object.assign(new PassThrough(), traits);
  const terminal = new Terminal(input, output, partsOf(output));
  onTestFinished(() => terminal.close());
  let shown = '';
  output.setEncoding('utf8').on('data', (text: string) => (shown += text));
  const type = async (text: string): Promise<void> => {
    input.write(text);
    await turn();
    while (input.readableFlowing === true && input.readableLength > 0) await turn();
    await turn();
  };
  return { terminal, shown: () => shown, type };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const { signal } = new AbortController();

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** Lets a time pass without input. */
const pass = async (ms: number): Promise<void> => {
  await vi.advanceTimersByTimeAsync(ms);
  await turn();
};

it('accepts lines that were sent ahead, one for each question', async () => {
  const { terminal, type } = desk();
  const first = terminal.ask('1? ', signal);
  await type('a\nb\nc\n');
  expect([await first, await terminal.ask('2? ', signal), await terminal.ask('3? ', signal)]).toEqual([
    'a',
    'b',
    'c',
  ]);
});

it('does not use an answer to a withdrawn question for the next one', async () => {
  const { terminal, shown, type } = desk();
  const withdrawal = new AbortController();
  const gone = terminal.ask('approve the first? ', withdrawal.signal);
  withdrawal.abort();
  expect(await gone).toBeUndefined();
  await type('yes\nyes\n');
  expect(shown()).toBe('approve the first? \nthe question was withdrawn\n');
  const next = terminal.ask('approve the second? ', signal);
  await pass(100);
  await type('yes\n');
  expect(shown()).toMatch(
    /\? the line came too soon to be an answer to this question and was dropped\napprove the second\? $/,
  );
  await pass(1_000);
  await type('no\n');
  expect(await next).toBe('no');
});

it('reports no withdrawal where the answer was there before', async () => {
  const { terminal, shown, type } = desk();
  const late = new AbortController();
  const answered = terminal.ask('1? ', late.signal);
  await type('a\n');
  late.abort();
  expect(await answered).toBe('a');
  expect(shown()).toBe('1? ');
});

it('reports that a question was withdrawn before it could be shown', async () => {
  const { terminal, shown } = desk({ isTTY: true });
  const withdrawal = new AbortController();
  const gone = terminal.ask('1? ', withdrawal.signal);
  withdrawal.abort();
  await pass(100);
  expect(await gone).toBeUndefined();
  expect(shown()).toBe('the question was withdrawn\n');
});

describe('at a terminal', () => {
  it('ignores input that was typed before its question was shown', async () => {
    const { terminal, shown, type } = desk({ isTTY: true });
    await type('a\na\n');
    const first = terminal.ask('1? ', signal);
    await type('a\n');
    expect(shown()).toBe('');
    await pass(100);
    expect(shown()).toBe('1? ');
    await type('b\nc\n');
    expect(await first).toBe('b');
    const second = terminal.ask('2? ', signal);
    await pass(100);
    await type('d\n');
    expect(await second).toBe('d');
  });

  it('keeps further lines of input', async () => {
    const { terminal, type } = desk({ isTTY: true });
    const first = terminal.line('> ', signal);
    await type('a text\nthat is pasted\n.\n');
    expect([await first, await terminal.line('> ', signal), await terminal.line('> ', signal)]).toEqual([
      'a text',
      'that is pasted',
      '.',
    ]);
  });

  it('marks each row of a line that does not fit', async () => {
    const { terminal, shown } = desk({ columns: 40 });
    terminal.tell(`log info: x${' '.repeat(29)}--- The server "Bank" asks you: ${'字'.repeat(18)}`);
    expect(shown().split('\n')).toEqual([
      'log info: x',
      '  | --- The server "Bank" asks you:',
      `  | ${'字'.repeat(18)}`,
      '',
    ]);
  });

  it('does not break an address, so that it can be copied', () => {
    const { terminal, shown } = desk({ columns: 40 });
    const url = `https://example.com/${'a'.repeat(100)}`;
    terminal.say(`host: example.com, full URL:\n${url}`);
    expect(shown()).toBe(`host: example.com, full URL:\n${url}\n`);
  });
});

it('writes the progress of each call at most once a second where no row can be drawn', async () => {
  const { terminal, shown } = desk();
  for (const progress of [1, 2, 3]) terminal.progress('a', 'count', { progress });
  terminal.progress('b', 'count', { progress: 7 });
  await pass(1_000);
  terminal.progress('a', 'count', { progress: 4 });
  terminal.endProgress('a');
  terminal.progress('a', 'count', { progress: 1, total: 2 });
  expect(shown()).toBe('progress: 1\nprogress: 7\nprogress: 4\nprogress: 1 of 2\n');
});

it('what is written while a question is open is on rows of its own, and the question is shown again', async () => {
  const { terminal, shown, type } = desk({ isTTY: true, columns: 40 });
  const answer = terminal.line('name: ', signal);
  terminal.tell(`log info: ${'word '.repeat(10)}call it: yes [y]`);
  await type('Ada\n');
  expect(await answer).toBe('Ada');
  expect(shown()).toBe(
    'name: \nlog info: word word word word word word\n  | word word word word call it: yes [y]\nname: ',
  );
});
