import { execFile } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useCli } from './cli.js';
import { tempFolder } from './temp-folder.js';

const { run, server, program } = useCli();

/** What is suggested at the cursor, which `|` marks. */
async function suggested(line: string, cwd?: string): Promise<readonly string[]> {
  const [before = '', after = ''] = line.replace('SERVER', server().slice(1).join(' ')).split('|');
  const env = { RXMCP_LINE: before + after, RXMCP_POINT: String(before.length) };
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
    ['rxmcp prompt | -- SERVER', ['greet']],
    ['rxmcp prompt greet w| -- SERVER', ['who=']],
    ['rxmcp prompt greet who=A| -- SERVER', ['who=Ada', 'who=Alan']],
    ['rxmcp read test://s| -- SERVER', ['test://static']],
    ['rxmcp read test://things/4| -- SERVER', ['test://things/4 of no kind']],
    ['rxmcp call | -- /nowhere/server', []],
  ])('%s', async (line, words) => expect(await suggested(line)).toEqual(words));
});

it('completes in Bash', async () => {
  const folder = await tempFolder();
  const bin = join(folder, 'rxmcp');
  await writeFile(bin, `#!/bin/sh\nexec ${program().join(' ')} "$@"\n`);
  await chmod(bin, 0o755);
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

it.each(['bash', 'zsh', 'fish'])('prints a script for %s', async (shell) => {
  const { code, stdout } = await run(['completion', shell]);
  expect(stdout).toContain('rxmcp completion words');
  expect(code).toBe(0);
});

it('names the shells it knows', async () => {
  const { code, stderr } = await run(['completion', 'tcsh']);
  expect(stderr).toContain('the shell "tcsh" must be one of bash, zsh, fish');
  expect(code).toBe(2);
});
