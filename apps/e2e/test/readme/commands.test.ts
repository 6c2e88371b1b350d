import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repository } from '../repository.js';

const readme = readFileSync(join(repository, 'README.md'), 'utf8');
const lines = [...readme.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block]) =>
  (block as string).split('\n'),
);
const commands = lines.map((line) => line.replace(/ +#.*$/, '').trim()).filter((line) => line !== '');

/** Runs a line of the README as a reader would. One that goes on for ever is interrupted at its first line of output. */
function run(command: string): Promise<{ code: number | null; stdout: string }> {
  return new Promise((resolve, reject) => {
    const [program, ...args] = words(command) as [string, ...string[]];
    const child = spawn(program, args, { cwd: repository, stdio: ['pipe', 'pipe', 'ignore'] });
    let stdout = '';
    child.stdin.end();
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      if (command.includes(' watch ') && stdout.includes('\n')) child.kill('SIGINT');
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout }));
  });
}

function words(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => (quoted ?? plain) as string);
}

/** Needs a build. */
describe('the commands of the first page', { timeout: 60_000 }, () => {
  it.each(commands.filter((line) => line.startsWith('node ')))('%s', async (command) => {
    const { code, stdout } = await run(command);
    if (command.includes(' watch '))
      expect(JSON.parse(stdout.split('\n')[0] as string)).toHaveProperty('contents');
    else expect(code).toBe(0);
    if (command.includes('calculate_sum')) expect(stdout).toContain('"5"');
  });

  it.each(commands.filter((line) => line.startsWith('npm ')))(
    '%s is a script of this workspace',
    (command) => {
      const { scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
        scripts: object;
      };
      const [, first, second] = command.split(' ');
      if (first === 'i') return;
      expect(scripts).toHaveProperty((first === 'run' ? second : first) as string);
    },
  );
});
