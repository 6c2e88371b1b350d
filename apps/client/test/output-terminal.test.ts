import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { atTerminal, screenOf } from '../../../vitest.terminal.js';
import { useCli } from './cli.js';
import { tempFolder } from './temp-folder.js';

const { program, served, server } = useCli();

describe.each([
  [40, false],
  [120, true],
])('at a terminal of %i columns, colours %s', (columns, colors) => {
  it('call shows a bar while it runs, and then the result', async () => {
    const { shown, code } = await atTerminal(program('call', 'steps', ...(await served())), {
      columns,
      colors,
    });
    // eslint-disable-next-line no-control-regex
    const colored = /\[\u001b\[32m=+\u001b\[39m +\] steps: 1 of 2, half\n/;
    const bar = colors ? colored : /\[=+ +\] steps: 1 of 2, half\n/;
    expect(shown).toMatch(bar);
    const rows = screenOf(shown);
    expect(rows.slice(-3)).toEqual(['log warning: careful\\u001b[2J', '  | done', '']);
    expect(rows.filter((row) => row.length > columns)).toEqual([]);
    expect(code).toBe(0);
  });

  it('watch shows a table that changes, which stays at the end', async () => {
    const words = program('watch', 'test://clock', 'test://static', ...(await served()));
    const { shown, code } = await atTerminal(words, { columns, colors, typed: [['tick 2', '\u0003']] });
    const rows = screenOf(shown);
    const at = rows.findLastIndex((row) => row.startsWith('name '));
    expect(rows[at]).toMatch(/^name +changes +at +value$/);
    const table = rows.slice(at + 1, at + 3).join('\n');
    expect(table).toMatch(/^test\S+tic +0 +\d\d:\d\d:\S+ +always$/m);
    expect(table).toMatch(/^test\S+ock +\d+ +\d\d:\d\d:\S+ +tick \d+$/m);
    expect(rows.filter((row) => row.length > columns)).toEqual([]);
    expect(shown.includes('\u001b[1mname')).toBe(colors);
    expect(code).toBe(130);
  });
});

it.each([
  ['standard output is a pipe', '| cat', '{"content"'],
  ['standard error is a file', '2>/dev/null', '  | done'],
])('a bar has the colours and the width of the stream it is on, if %s', async (_what, redirected, result) => {
  const line = `"$@" ${redirected}`;
  const words = ['sh', '-c', line, 'sh', ...program('call', 'steps', ...(await served()))];
  const { shown } = await atTerminal(words, { columns: 40, colors: true });
  // eslint-disable-next-line no-control-regex
  expect(shown).toMatch(/\[\u001b\[32m=+\u001b\[39m +\] steps: 1 of 2, half\n/);
  expect(shown).toContain(result);
  expect(screenOf(shown).filter((row) => row.length > 40 && !row.startsWith('{'))).toEqual([]);
});

it.each([40, 120])('tools shows how each tool is called, in %i columns', async (columns) => {
  const { shown } = await atTerminal(program('tools', ...(await served())), { columns });
  const text = screenOf(shown)
    .join('\n')
    .replaceAll(/\n {2}\| (?=\S)/g, ' ');
  expect(text).toContain(
    'typed count=INTEGER label=red|green [deep=true|false] [names=STRING...] [data=STRING] [place:=OBJECT]',
  );
  expect(screenOf(shown).filter((row) => row.length > columns)).toEqual([]);
});

it('info shows what a person reads', async () => {
  const { shown } = await atTerminal(program('info', ...(await served())), { columns: 40 });
  const rows = screenOf(shown);
  expect(rows).toContain('fixture 1.0.0');
  expect(rows).toContain('  | protocol: 2026-07-28');
  expect(rows.join(' ')).toMatch(/ {2}\| capabilities: .*tools/);
  expect(rows.filter((row) => row.length > 40)).toEqual([]);
  expect(rows).toContain('  | for tests');
  expect((await atTerminal(program('info', '--json', ...(await served())))).shown).toContain(
    '{"server":{"name"',
  );
});

it('listen shows a table of lists and resources', async () => {
  const words = program('listen', 'test://static', ...(await served()));
  const { shown, code } = await atTerminal(words, { columns: 40, typed: [['always', '\u0003']] });
  const rows = screenOf(shown);
  expect(rows).toContainEqual(expect.stringMatching(/^tools +0 +\S+ +\d+: \+ech/));
  expect(rows).toContainEqual(expect.stringMatching(/^test\S+tic +0 +\S+ +always$/));
  expect(rows.filter((row) => row.length > 40)).toEqual([]);
  expect(code).toBe(130);
});

it('call shows what a person reads, and saves pictures where the terminal shows none', async () => {
  const { shown, code } = await atTerminal(program('call', 'show', ...(await served())));
  expect(shown).toContain('  | Two pictures.\\u001b[2J\n');
  const [file = ''] = /(?<=^image\/png, about \d+ bytes:\nsaved as )\S+\.png$/m.exec(shown) ?? [];
  expect((await readFile(file)).subarray(1, 4).toString()).toBe('PNG');
  expect(shown).toMatch(/saved as \S+\.bin$/m);
  expect(code).toBe(0);
});

it('call shows pictures in a terminal that can', async () => {
  const { shown } = await atTerminal(program('call', 'show', ...(await served())), {
    env: { TERM: 'xterm-kitty' },
  });
  expect(shown).toContain('\u001b_Gf=100,a=T,m=0;iVBORw0');
});

it.each([
  ['iTerm2', { TERM_PROGRAM: 'iTerm.app' }, '\u001b]1337;File=inline=1;size='],
  ['sixels', { TERM: 'foot' }, '\u001bP0;1;0q"1;1;1;1#180;2;100;0;0#180@\u001b\\'],
])('call shows pictures in a terminal with %s', async (_what, env, shows) => {
  expect((await atTerminal(program('call', 'show', ...(await served())), { env })).shown).toContain(shows);
});

it('read shows the text', async () => {
  const { shown } = await atTerminal(program('read', 'test://things/7', ...(await served())));
  expect(shown).toMatch(/^test:\/\/things\/7\n {2}\| thing 7$/m);
});

it('--json has JSON lines at a terminal too', async () => {
  const { shown } = await atTerminal(program('call', 'steps', '--json', ...(await served())));
  expect(shown).toContain('{"content":[{"type":"text","text":"done"}]}\n');
});

it('Ctrl-C cancels a call at the server, and the terminal is left as it was', async () => {
  const journal = join(await tempFolder(), 'journal');
  const words = program('call', 'hold', ...server(journal));
  const { shown, code } = await atTerminal(words, { typed: [['hold: 1', '\u0003']] });
  expect(await readFile(journal, 'utf8')).toBe('hold ended\n');
  expect(screenOf(shown).at(-2)).not.toContain('hold: 1');
  expect(code).toBe(130);
});
