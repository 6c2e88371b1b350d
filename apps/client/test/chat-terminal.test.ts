import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { desk, endpoint, uses } from './chat-desk.js';
import { useCli } from './cli.js';

const { program, server } = useCli();
const python = fileURLToPath(new URL('fixtures/terminal.py', import.meta.url));

/** What a person sees who chats at a terminal, and types each answer once its text is shown. */
async function seen(
  columns: number,
  typed: readonly (readonly [text: string, answer: string])[],
  answers: readonly object[],
  ...args: readonly string[]
): Promise<{ readonly shown: string; readonly code: number }> {
  const { cwd } = await desk({ desk: server().slice(1) });
  const { env } = await endpoint(...answers);
  const words = program('chat', '--server', 'desk', ...args);
  const { PATH = '', HOME = '' } = process.env;
  const options = { cwd, env: { PATH, HOME, TERM: 'xterm', XDG_CONFIG_HOME: cwd, ...env } };
  return new Promise((resolve, reject) => {
    execFile('python3', [python, `${columns}`, JSON.stringify(typed), ...words], options, (error, shown) => {
      const code = error === null ? 0 : error.code;
      if (typeof code === 'number') resolve({ shown: shown.replaceAll('\r\n', '\n'), code });
      else reject(error as Error);
    });
  });
}

it('shows a person the calls, their progress and results, and the answer', async () => {
  const answers = [uses('desk__steps'), { content: 'All is done.' }];
  const { shown, code } = await seen(100, [['call it: yes', 'y\n']], answers, 'Do the steps');
  const lines = [
    'call: steps of desk {}\n',
    '--- The model calls "steps" of desk:\n',
    'progress: 1 of 2, half\n',
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
  expect(shown.replaceAll('\n  | ', '')).toContain('word '.repeat(39));
});

it('reads questions until /quit', async () => {
  const { shown, code } = await seen(100, [['> ', 'First?\n/quit\n']], [{ content: 'Yes.' }]);
  expect(shown).toContain('  | Yes.\n');
  expect(code).toBe(0);
});

it('Ctrl-C cancels a question, and keeps the conversation; without a question it leaves', async () => {
  const typed = [
    ['> ', 'Hold\n'],
    ['progress: 1', '\u0003'],
    ['> ', 'Are you there?\n'],
    ['  | Yes.', '\u0003'],
  ] as const;
  const answers = [uses('desk__hold'), { content: 'Yes.' }];
  const { shown, code } = await seen(100, typed, answers, '--approve', 'always');
  expect(shown).toContain('the question was cancelled\n');
  expect(code).toBe(130);
});
