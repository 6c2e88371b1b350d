import { PassThrough } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { Terminal } from '../src/terminal.js';

interface Desk {
  readonly terminal: Terminal;
  readonly shown: () => string;
  /** Writes, and resolves once it was read. */
  readonly type: (text: string) => Promise<void>;
}

function desk(): Desk {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const terminal = new Terminal(input, output, true);
  onTestFinished(() => terminal.close());
  let shown = '';
  output.setEncoding('utf8').on('data', (text: string) => (shown += text));
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const type = async (text: string): Promise<void> => {
    input.write(text);
    while (input.readableLength > 0) await turn();
    await turn();
  };
  return { terminal, shown: () => shown, type };
}

const { signal } = new AbortController();

it('takes lines that were sent ahead, one for each question', async () => {
  const { terminal, type } = desk();
  const first = terminal.ask('1? ', signal);
  await type('a\nb\nc\n');
  expect([await first, await terminal.ask('2? ', signal), await terminal.ask('3? ', signal)]).toEqual([
    'a',
    'b',
    'c',
  ]);
});

it('takes no answer to a question that was withdrawn for one to the next', async () => {
  const { terminal, shown, type } = desk();
  const withdrawal = new AbortController();
  const gone = terminal.ask('approve the first? ', withdrawal.signal);
  withdrawal.abort();
  expect(await gone).toBeUndefined();
  await type('yes\nyes\n');
  expect(shown()).toBe('approve the first? \nthe question was withdrawn\n');
  const next = terminal.ask('approve the second? ', signal);
  await type('no\n');
  expect(await next).toBe('no');
});

it('says nothing of withdrawal where the answer was there before', async () => {
  const { terminal, shown, type } = desk();
  const late = new AbortController();
  const answered = terminal.ask('1? ', late.signal);
  await type('a\n');
  late.abort();
  expect(await answered).toBe('a');
  expect(shown()).toBe('1? ');
});
