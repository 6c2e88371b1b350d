import packageJson from 'rxmcp/package.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import { commands } from '../src/commands/table.js';
import { toolsCommand } from '../src/commands/remote/lists.js';
import { commandHelp } from '../src/help.js';
import { useCli } from './cli.js';

const { run, runApart } = useCli();

async function text(...args: readonly string[]): Promise<{ code: number | null; out: string; err: string }> {
  const { code, stdout, stderr } = await run(args);
  return { code, out: stdout, err: stderr };
}

it('--version prints the version of the package', async () => {
  const printed = { code: 0, stdout: `${packageJson.version}\n`, stderr: '' };
  expect(await runApart(['--version'])).toMatchObject(printed);
});

it('--help lists all commands', async () => {
  const { code, out } = await text('--help');
  for (const name of Object.keys(commands)) expect(out).toContain(`\n  ${name} `);
  expect(code).toBe(0);
});

it('COMMAND --help prints the help of the command', async () => {
  const out = `${commandHelp('tools', toolsCommand)}\n`;
  expect(await text('tools', '--help')).toEqual({ code: 0, out, err: '' });
  expect(await text('help', 'tools')).toEqual({ code: 0, out, err: '' });
});

it.each(Object.entries(commands))('the help of %s has its options and an example', async (name, { load }) => {
  const out = commandHelp(name, await load());
  expect(out).toMatch(new RegExp(`^usage: rxmcp ${name} `));
  expect(out).toMatch(new RegExp(`\nexample\n {2}rxmcp ${name}( |$)`));
  expect(out).toContain('\n  --json ');
  expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(132);
});

describe('names that do not exist', () => {
  it.each([
    [['toosl'], '"toosl" is not a command. Did you mean tools?'],
    [
      ['greet', 'name=Ada', 'demo'],
      '"greet" is not a command. A tool is called as in: rxmcp call greet ...\n',
    ],
    [['xyzzy'], '"xyzzy" is not a command. Commands: info, ping, tools,'],
    [['tools', '-v'], 'tools has no option -v\nrxmcp tools --help lists its options\n'],
    [['call', '--haeder', 'x'], 'call has no option --haeder. Did you mean --header?'],
    [
      ['--jsn', 'tools'],
      '--jsn is not an option of rxmcp: those of a command stand after its name. Did you mean --json?\n',
    ],
    [['--json', 'tools'], '--json stands after the name of a command, as in: rxmcp info --json TARGET\n'],
    [
      ['--versoin'],
      '--versoin is not an option of rxmcp: those of a command stand after its name. Did you mean --version?',
    ],
    [['serve', '--port', '3000'], 'serve has no option --port. Did you mean --http or --sse or --ws?'],
    [['gateway', '--file', 'x'], 'gateway has no option --file. Did you mean --listen or --config?'],
    [
      ['call', 'search', '--query', 'x'],
      'call has no option --query. An argument is written as query=VALUE\n',
    ],
    [['serve', '--loud'], 'serve has no option --loud\n'],
    [['completion'], 'completion needs one of bash|zsh|fish\n'],
  ])('%j names the nearest ones', async (args, wanted) => {
    const { code, out, err } = await text(...args);
    expect(err).toContain(wanted);
    expect([code, out]).toEqual([2, '']);
  });
});
