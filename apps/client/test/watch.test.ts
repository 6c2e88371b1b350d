import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { useCli } from './cli.js';
import { tempFolder } from './temp-folder.js';

const { run, start, served, server } = useCli();

describe.each(['modern', 'legacy'])('with --protocol %s', (protocol) => {
  it('watch prints a line for each change until Ctrl-C, then ends with 130', async () => {
    const { child, shown, finished } = start([
      'watch',
      'test://clock',
      '--protocol',
      protocol,
      ...(await served()),
    ]);
    await shown('tick 2');
    child.kill('SIGINT');
    const { code, lines } = await finished;
    expect(code).toBe(130);
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.at(0)).toMatchObject({ contents: [{ uri: 'test://clock' }] });
  });

  it('Ctrl-C cancels a call at the server and ends with 130', async () => {
    const journal = join(await tempFolder(), 'journal');
    const { child, shown, finished } = start(['call', 'hold', '--protocol', protocol, ...server(journal)]);
    await shown('progress: 1');
    child.kill('SIGINT');
    const { code, stdout } = await finished;
    expect(code).toBe(130);
    expect(stdout).toBe('');
    expect(await readFile(journal, 'utf8')).toBe('hold ended\n');
  });
});

it('Ctrl-C while connecting leaves no server behind', async () => {
  const script = 'console.error(`pid ${process.pid}.`); process.stdin.resume(); setInterval(() => {}, 1000)';
  const { child, shown, finished } = start(['info', '--', process.execPath, '-e', script]);
  await shown('.');
  child.kill('SIGINT');
  const { code, stderr } = await finished;
  expect(code).toBe(130);
  const pid = Number(/pid (\d+)/.exec(stderr)?.[1]);
  await vi.waitFor(() => expect(runs(pid)).toBe(false));
});

/** Whether a process runs; one that was killed and is still a zombie does not. */
function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = `/proc/${pid}/stat`;
  return !existsSync(stat) || !/\) Z /.test(readFileSync(stat, 'utf8'));
}

it('Ctrl-C ends it while the server does not answer the log level', async () => {
  const file = join(await tempFolder(), 'mute.mjs');
  await writeFile(file, muteServer);
  const { child, shown, finished } = start(['tools', '--', process.execPath, file]);
  await shown('server: logging/setLevel');
  child.kill('SIGINT');
  const { code, stderr } = await finished;
  expect(code).toBe(130);
  expect(stderr).not.toContain('log level');
});

const muteServer = `
import { createInterface } from 'node:readline';
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (method === 'logging/setLevel') return console.error(method);
  const [capabilities, serverInfo] = [{ logging: {}, tools: {} }, { name: 'mute', version: '0' }];
  const result = { protocolVersion: '2025-11-25', capabilities, serverInfo };
  const error = { code: -32601, message: 'unknown method' };
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(method === 'initialize' ? { result } : { error }) }));
});
`;

it.each([
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s ends it like Ctrl-C, with %i', async (signal, exit) => {
  const { child, shown, finished } = start(['watch', 'test://clock', ...(await served())]);
  await shown('tick');
  child.kill(signal);
  expect((await finished).code).toBe(exit);
});

it('Ctrl-C cancels a call first, and leaves at once the second time', async () => {
  const file = join(await tempFolder(), 'stubborn.mjs');
  await writeFile(file, stubbornServer);
  const { child, shown, finished } = start(['call', 'hold', '--', process.execPath, file]);
  await shown('server: tools/call');
  child.kill('SIGINT');
  await shown('server: notifications/cancelled');
  child.kill('SIGINT');
  await once(child, 'exit');
  expect(child.exitCode).toBe(130);
  expect((await finished).stderr).not.toContain('server: SIGTERM');
});

/** It ignores the end of its input, and SIGTERM. */
const stubbornServer = `
import { createInterface } from 'node:readline';
process.on('SIGTERM', () => console.error('SIGTERM'));
setInterval(() => undefined, 1000);
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  console.error(method);
  const [capabilities, serverInfo] = [{ tools: {} }, { name: 'stubborn', version: '0' }];
  const tools = [{ name: 'hold', inputSchema: { type: 'object' } }];
  const results = { initialize: { protocolVersion: '2025-11-25', capabilities, serverInfo }, 'tools/list': { tools } };
  const error = { code: -32601, message: 'unknown method' };
  if (id !== undefined && method !== 'tools/call')
    console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(method in results ? { result: results[method] } : { error }) }));
});
`;

it('watch of a static resource reads once and stays', async () => {
  const { child, shown, finished } = start(['watch', 'test://static', ...(await served())]);
  await shown('always');
  child.kill('SIGINT');
  expect((await finished).lines).toHaveLength(1);
});

it('watch of an unknown resource ends with 1', async () => {
  expect((await run(['watch', 'test://none', ...(await served())])).code).toBe(1);
});

it('ends when its output is not read any more', async () => {
  const { child, shown, finished } = start(['watch', 'test://clock', ...(await served())]);
  await shown('tick 1');
  child.stdout.destroy();
  expect((await finished).code).toBe(0);
});
