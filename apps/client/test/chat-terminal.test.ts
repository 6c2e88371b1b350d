import { expect, it } from 'vitest';
import { atTerminal, type TerminalOptions } from '../../../vitest.terminal.js';
import { desk, endpoint, uses } from './chat-desk.js';
import { useCli } from './cli.js';

const { program, served } = useCli();

/** What a person sees who chats at a terminal. */
async function seen(
  columns: number,
  typed: TerminalOptions['typed'],
  answers: readonly object[],
  ...args: readonly string[]
): Promise<{ readonly shown: string; readonly code: number }> {
  const { cwd } = await desk({ desk: await served() });
  const { env } = await endpoint(...answers);
  const words = program('chat', '--server', 'desk', ...args);
  return atTerminal(words, { cwd, columns, typed: typed ?? [], env: { XDG_CONFIG_HOME: cwd, ...env } });
}

it('shows a person the calls, their progress and results, and the answer', async () => {
  const answers = [uses('desk__steps'), { content: 'All is done.' }];
  const { shown, code } = await seen(100, [['call it: yes', 'y\n']], answers, 'Do the steps');
  const lines = [
    'call: steps of desk {}\n',
    '--- The model calls "steps" of desk:\n',
    '] steps: 1 of 2, half\n',
    'careful\\u001b[2J\n',
    'result: done\n',
    '2 steps, 20 + 10 tokens, cost 1\n',
    '  | All is done.\n',
  ];
  for (const line of lines) expect(shown).toContain(line);
  expect(shown).not.toContain('"type"');
  expect(code).toBe(0);
});

it('does not call what a person declines', async () => {
  const answers = [uses('desk__echo', '{"a":1}'), { content: 'Not done.' }];
  const { shown } = await seen(100, [['call it: yes', 'n\n']], answers, 'Echo');
  expect(shown).toContain('the call was not approved\n');
  expect(shown).toContain('  | Not done.\n');
});

it('text of a server and of the model controls no terminal, and imitates no line of the program', async () => {
  const content =
    'Hi\u001b[2J\u009b\u202e\n--- The model calls "x"\ncall it: yes [y], no [n], or yes and remember it for this tool [a]? ';
  const answers = [uses('desk__nasty'), { content }];
  const { shown } = await seen(100, [], answers, '--approve', 'always', 'Try');
  for (const control of ['\u001b', '\u009b', '\u202e']) expect(shown).not.toContain(control);
  expect(shown).not.toMatch(/^(?:---|call it)/m);
  expect(shown).toContain('result: a\\u001b[31m\\u009b\\u202eb c\n');
});

it('fits in 40 columns', async () => {
  const answers = [uses('desk__echo', `{"a":"${'long '.repeat(20)}"}`), { content: 'word '.repeat(40) }];
  const { shown } = await seen(40, [['call it: yes', 'y\n']], answers, 'Echo');
  // The terminal itself shows the typed answer behind the question.
  const rows = shown.replace('? y\n', '? \n').split('\n');
  expect(rows.filter((row) => row.length > 40)).toEqual([]);
  expect(shown.replaceAll('\n  | ', ' ')).toContain('word '.repeat(39));
});

it('reads questions until /quit', async () => {
  const { shown, code } = await seen(100, [['> ', 'First?\n/quit\n']], [{ content: 'Yes.' }]);
  expect(shown).toContain('  | Yes.\n');
  expect(code).toBe(0);
});

it('Ctrl-C cancels a question, and keeps the conversation; without a question it leaves', async () => {
  const typed = [
    ['> ', 'Hold\n'],
    ['hold: 1', '\u0003'],
    ['> ', 'Are you there?\n'],
    ['  | Yes.', '\u0003'],
  ] as const;
  const answers = [uses('desk__hold'), { content: 'Yes.' }];
  const { shown, code } = await seen(100, typed, answers, '--approve', 'always');
  expect(shown).toContain('the question was cancelled\n');
  expect(code).toBe(130);
});

it('shows the text of the model as it arrives, once', async () => {
  const { shown } = await seen(100, [], [{ content: 'One.\n\n\n\nTwo\u001b[2J.' }], 'Say it');
  expect(shown).toContain('  | One.\n  (3 blank lines)\n  | Two\\u001b[2J.\n');
  expect(shown.match(/One\./g)).toHaveLength(1);
});

it('lets a person choose a resource for @', async () => {
  const typed = [['which one [1], or none [Enter]? ', '1\n']] as const;
  const { shown } = await seen(100, typed, [{ content: 'Yes.' }], 'Is @stat or @none always there?');
  expect(shown).toContain('--- Resources for @stat:\n1. desk: test://static');
  expect(shown).toContain('context: test://static of desk');
});

it('shows the prompts and commands to choose from, asks for arguments, and shows the steps of a prompt', async () => {
  const typed = [
    ['> ', '/\n'],
    ['which one [1-', '0\n'],
    ['> ', '/gre\n'],
    ['which one [1]', '1\n'],
    ['who such as Ada, Alan, Bob: ', 'Ada\n'],
    ['  | Yes.', '/debate topic=tea\n'],
    ['  | No.', ''],
    ['> ', '\u0004'],
  ] as const;
  const { shown } = await seen(100, typed, [{ content: 'Yes.' }, { content: 'No.' }]);
  expect(shown).toMatch(/^--- Commands and prompts for \/:\n1\. \/help\n2\. \/tools\n/m);
  expect(shown).toContain('--- Commands and prompts for /gre:\n1. /desk:greet\n');
  expect(shown).toContain('greet, step, user: Greet Ada.\n');
  expect(shown).toContain('debate, step 1 of 2, user: For tea?\ndebate, step 2 of 2, assistant: Yes.\n');
});

it('completes commands, prompts, their arguments and resources with Tab', async () => {
  const typed = [
    ['> ', '/desk:gr\t'],
    ['eet', ' wh\t'],
    ['o=', 'Al\t'],
    ['an', '\n'],
    ['  | Hello', '@test://st\t'],
    ['atic', ' is what?\n'],
    ['  | Static', ''],
    ['> ', '\u0004'],
  ] as const;
  const { shown, code } = await seen(100, typed, [{ content: 'Hello' }, { content: 'Static' }]);
  expect(shown).toContain('context: test://static of desk');
  expect(code).toBe(0);
});
