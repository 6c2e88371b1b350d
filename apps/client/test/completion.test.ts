import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { atTerminal } from '../../../vitest.terminal.js';
import { useCli } from './cli.js';
import { tempFolder } from './temp-folder.js';

const { run, server, program } = useCli();

/** What is suggested at the cursor, which `|` marks. */
async function suggested(
  line: string,
  cwd?: string,
  more: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const [before = '', after = ''] = line.replace('SERVER', server().slice(1).join(' ')).split('|');
  const env = { RXMCP_LINE: before + after, RXMCP_POINT: String(before.length), ...more };
  const { stdout } = await run(['completion', 'words'], { env, ...(cwd === undefined ? {} : { cwd }) });
  return stdout.split('\n').slice(0, -1);
}

describe('without a server', () => {
  it.each([
    ['rxmcp to|', ['tools']],
    ['A=1 rxmcp com|', ['complete', 'completion']],
    ['rxmcp tools --pro|', ['--protocol']],
    ['rxmcp tools --protocol m|', ['modern']],
    ['rxmcp logs --level wa|', ['warning']],
    ['rxmcp dance |', []],
    ['rxmcp call ec|', []],
    ['rxmcp tools -- no|', []],
  ])('%s', async (line, words) => expect(await suggested(line)).toEqual(words));

  it('has the names of servers', async () => {
    const cwd = await tempFolder();
    await writeFile(join(cwd, 'mcp.json'), '{"mcpServers":{"weather":{},"web":{}}}');
    expect(await suggested('rxmcp tools w|', cwd)).toEqual(['weather', 'web']);
  });
});

describe('asks the server', () => {
  it.each([
    ['rxmcp call ec| -- SERVER', ['echo']],
    ['rxmcp prompt | -- SERVER', ['greet', 'debate']],
    ['rxmcp prompt greet w| -- SERVER', ['who=']],
    ['rxmcp prompt greet who=A| -- SERVER', ['who=Ada', 'who=Alan']],
    ['rxmcp read test://s| -- SERVER', ['test://static']],
    ['rxmcp read test://things/4| -- SERVER', ['test://things/4 of no kind']],
    ['rxmcp call | -- /nowhere/server', []],
  ])('%s', async (line, words) => expect(await suggested(line)).toEqual(words));
});

/** Makes the program a command of this name. */
async function programNamed(file: string): Promise<void> {
  await writeFile(file, `#!/bin/sh\nexec ${program().join(' ')} "$@"\n`);
  await chmod(file, 0o755);
}

it('completes in Bash', async () => {
  const folder = await tempFolder();
  await programNamed(join(folder, 'rxmcp'));
  const line = `rxmcp read test://st -- ${server().slice(1).join(' ')}`;
  const script = `
    source <(rxmcp completion bash)
    COMP_LINE=${JSON.stringify(line)} COMP_POINT=20 COMP_WORDS=(rxmcp read test : //st) COMP_CWORD=4
    _rxmcp; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const env = { PATH: `${folder}:${process.env['PATH']}`, HOME: folder };
  const shown = await new Promise<string>((resolve, reject) => {
    execFile('bash', ['-c', script], { env }, (error, stdout) =>
      error === null ? resolve(stdout) : reject(error as Error),
    );
  });
  expect(shown).toBe('//static\n');
});

it('in Bash no value of a server becomes a command', async () => {
  const folder = await tempFolder();
  await programNamed(join(folder, 'rxmcp'));
  const line = `rxmcp prompt debate topic= -- ${server().slice(1).join(' ')}`;
  const script = `
    source <(rxmcp completion bash)
    COMP_LINE=${JSON.stringify(line)} COMP_POINT=26 COMP_WORDS=(rxmcp prompt debate topic =) COMP_CWORD=4
    _rxmcp; for word in "\${COMPREPLY[@]}"; do eval "printf '%s\\n' topic=$word"; done`;
  const env = { PATH: `${folder}:${process.env['PATH']}`, HOME: folder };
  const { stdout } = spawnSync('bash', ['-c', script], { env, cwd: folder, encoding: 'utf8' });
  expect(stdout.split('\n')).toEqual([
    'topic=tea time',
    'topic=$(touch stolen)',
    'topic=;touch stolen;*',
    '',
  ]);
  expect(existsSync(join(folder, 'stolen'))).toBe(false);
});

it('in Bash values that quotes do not protect are left out where a quotation mark is open', async () => {
  const line = `rxmcp prompt debate "topic=| -- ${server().slice(1).join(' ')}`;
  expect(await suggested(line, undefined, { RXMCP_BREAKS: '=' })).toEqual([
    'topic=tea time',
    'topic=;touch stolen;*',
  ]);
});

/** Where each shell looks for scripts, and the file that it reads first. */
const homes = {
  zsh: [
    '_rxmcp',
    '.zshrc',
    "PS1='ready> '; fpath=($HOME $fpath); autoload -Uz compinit; compinit -u -D; unsetopt LIST_BEEP",
  ],
  fish: [
    '.config/fish/completions/rxmcp.fish',
    '.config/fish/config.fish',
    "set fish_greeting; function fish_prompt; echo -n 'ready> '; end",
  ],
} as const;

it.for(['zsh', 'fish'] as const)('completes in %s', async (shell, { skip }) => {
  skip(spawnSync(shell, ['--version']).status !== 0, `${shell} is not installed`);
  const home = await tempFolder();
  const [script, config, settings] = homes[shell];
  await mkdir(join(home, '.config/fish/completions'), { recursive: true });
  await writeFile(join(home, script), (await run(['completion', shell])).stdout);
  await writeFile(join(home, config), settings);
  await programNamed(join(home, 'rxmcp'));
  const after = ` -- ${server().slice(1).join(' ')}`;
  const asksServer = [
    ['ready> ', `rxmcp read test://st${after}${'\u0002'.repeat(after.length)}\t`],
    ['atic', '\r'],
    ['  | always', ''],
  ] as const;
  const typed = [
    // Fish shows its scripts only what is before the cursor.
    ...(shell === 'zsh' ? asksServer : []),
    ['ready> ', 'rxmcp too\t'],
    ['ls', ' --protocol mod\t'],
    ['ern', '\u0015exit\r'],
  ] as const;
  const env = { PATH: `${home}:${process.env['PATH']}`, HOME: home, XDG_CONFIG_HOME: join(home, '.config') };
  expect((await atTerminal([shell, '-i'], { typed, env, columns: 1_000 })).code).toBe(0);
});

it('names the shells it knows', async () => {
  const { code, stderr } = await run(['completion', 'tcsh']);
  expect(stderr).toContain('the shell "tcsh" must be one of bash, zsh, fish');
  expect(code).toBe(2);
});
