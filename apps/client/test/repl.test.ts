import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitLine } from '../src/completion/split-line.js';
import { atTerminal } from '../../../vitest.terminal.js';
import { useCli } from './cli.js';
import { tempFolder } from './temp-folder.js';

const { run, served, server, program } = useCli();

it('runs the lines of a pipe over one connection', async () => {
  const input = `call echo '{"a": 1}'\n# a comment\n\nping\n/greet who=Ada\ncall fail\ncall echo '{"a": 2}'\nexit\ncall echo {}\n`;
  const { code, lines, stderr } = await run(['repl', ...server()], { input });
  expect(lines).toMatchObject([
    { content: [{ text: '{"a":1}' }] },
    { method: 'server/discover' },
    { messages: [{ role: 'user', content: { text: 'Greet Ada.' } }] },
    { isError: true },
    { content: [{ text: '{"a":2}' }] },
  ]);
  expect(stderr.match(/fixture/g)).toHaveLength(1);
  expect(code).toBe(0);
});

it('continues after a line that is wrong, and ends with the code of the last one', async () => {
  const input = `dance\ncall "echo\nchat\nhelp\ntoosl\ncall nothing\n`;
  const { code, stderr } = await run(['repl', ...(await served())], { input });
  expect(stderr).toContain('"dance" is not a command here. Commands: info,');
  expect(stderr).toContain('a quotation mark is not closed');
  expect(stderr).toContain('"chat" is not a command here');
  expect(stderr).toContain('"toosl" is not a command here. Did you mean tools?');
  expect(stderr).toMatch(/^tools +lists the tools$/m);
  expect(code).toBe(1);
});

it('ends when the server is lost', async () => {
  const { code } = await run(['repl', ...server()], { input: 'call vanish\n' });
  expect(code).toBe(3);
});

it('has completion, a history and Ctrl-C at a terminal', async () => {
  const home = await tempFolder();
  const typed = [
    ['rxmcp> ', 'call ec\t'],
    ['call echo', ' {}\r'],
    ['  | {}', ''],
    ['rxmcp> ', 'nonsense\u0003/gr\t'],
    ['/greet', ' who=Al\t'],
    ['who=Alan', '\r'],
    ['  | Greet Alan.', ''],
    ['rxmcp> ', 'call hold\r'],
    ['hold: 1', '\u0003'],
    ['cancelled', ''],
    ['rxmcp> ', '\u001b[A\u001b[A\u001b[A\r'],
    ['  | {}', ''],
    ['rxmcp> ', '\u0004'],
  ] as const;
  const { shown } = await atTerminal(program('repl', ...(await served())), { typed, env: { HOME: home } });
  expect(shown.match(/^ {2}\| \{\}$/gm)).toHaveLength(2);
  expect(await readFile(join(home, '.config/rxmcp/history'), 'utf8')).toBe(
    'call echo {}\ncall hold\n/greet who=Alan\n',
  );
});

describe('the words of a line', () => {
  it.each([
    ['', []],
    ['  a  b ', ['a', 'b']],
    [`a'b c'"d e"\\ f ''`, ['ab cd e f', '']],
    [`"a\\"b\\c" 'd\\'`, ['a"b\\c', 'd\\']],
  ])('%j', (line, words) => expect(splitLine(line)).toMatchObject({ words, isOpen: false }));

  it('are any texts that are quoted', () => {
    const single = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
    const double = (word: string): string => `"${word.replace(/["\\$`]/g, '\\$&')}"`;
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary' })),
        fc.constantFrom(single, double),
        (words, quote) => {
          expect(splitLine(words.map(quote).join(' ')).words).toEqual(words);
        },
      ),
    );
  });

  it('know whether a word is open', () => {
    expect(splitLine('a "b')).toEqual({ words: ['a', 'b'], isOpen: true, endsInWord: true });
    expect(splitLine('a ')).toMatchObject({ isOpen: false, endsInWord: false });
  });
});
