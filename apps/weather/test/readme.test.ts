import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { usage } from '../src/usage.js';
import { usePrograms } from './program.js';

const { path } = usePrograms();
const readme = readFileSync(fileURLToPath(new URL('../README.md', import.meta.url)), 'utf8');
const commands = /^```sh\n([\s\S]*?)^```$/m.exec(readme)?.[1]?.trim().split('\n') ?? [];

it.each(commands)('%s', async (line) => {
  const command = line.replace(/apps\/weather\/dist\/(main|client)\.js/g, (_all, name: 'main' | 'client') =>
    path(name),
  );
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', command]);
  expect(stdout).toMatch(/Heat Advisory|No active alerts|Sunny|mcpServers/);
});

it('has all options and exit codes of the usage text', () => {
  const options = [...usage.matchAll(/--[a-z-]+/g)].map(([option]) => option);
  for (const option of new Set(options)) expect(readme).toContain(`\`${option}\``);
  const codes = [...(/Exit codes: (.*)/.exec(usage)?.[1] ?? '').matchAll(/\b\d\b/g)].map(([code]) => code);
  expect(codes).toEqual(['0', '1', '2']);
  for (const code of codes) expect(readme).toContain(`\n| ${code} `);
});
