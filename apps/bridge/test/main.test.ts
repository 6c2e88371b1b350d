import { describe, expect, it, onTestFinished } from 'vitest';
import type { Remote } from 'rxmcp';
import { once } from 'rxmcp';
import { stdio } from 'rxmcp/stdio';
import { tools } from 'rxmcp/tools';
import type { Transport } from 'rxmcp/transport';
import { transportFor } from 'rxmcp/url';
import { gone, pidsIn, usePrograms } from './program.js';
import { joins } from './joins.js';
import { answering, scene } from './scenes.js';
import { until } from './until.js';

const { start, main, behind } = usePrograms();

/** The bridge as a child of its client, with what it says on standard error. */
function asChild(args: readonly string[]): { transport: Transport; said: () => string } {
  const lines: string[] = [];
  const transport = stdio({
    command: process.execPath,
    args: [main(), ...args],
    stderr: (line) => void lines.push(line),
  });
  return { transport, said: () => `${lines.join('\n')}\n` };
}

async function connected(transport: Transport, version: string): Promise<Remote> {
  const remote = await answering(version).connect(transport);
  onTestFinished(() => remote.close());
  return remote;
}

const textOf = async (remote: Remote, name: string, args = {}) =>
  (await once(tools(remote).call(name, args))).content
    .map((block) => block.type === 'text' && block.text)
    .join();

/** A call, progress, a question and a cancel. */
async function exercised(remote: Remote, said: () => string): Promise<void> {
  expect(await textOf(remote, 'echo', { a: 1 })).toBe('{"a":1}');
  const events: unknown[] = [];
  await tools(remote)
    .events('count')
    .forEach((event) => void events.push(event.type === 'progress' ? event.progress : event.type));
  expect(events).toEqual([1, 2, 3, 'result']);
  expect(await textOf(remote, 'where')).toBe('file:///here');
  const before = said().split('hang torn down').length;
  const hanging = tools(remote).call('hang').subscribe();
  expect(await textOf(remote, 'echo')).toBe('{}');
  hanging.unsubscribe();
  await until(() => said().split('hang torn down').length > before);
}

describe.each(['2026-07-28', '2025-11-25'])('%s: the program', (version) => {
  it('connects a client that starts it with a server that it starts, and ends both', async () => {
    const { transport, said } = asChild(['--', ...behind()]);
    const remote = await connected(transport, version);
    expect(remote.version).toBe(version);
    await exercised(remote, said);
    const pids = pidsIn(said());
    expect(pids).toHaveLength(1);
    await remote.close();
    await gone(pids);
    expect(said()).toContain('ended in order');
  });

  it.each(['http', 'websocket'])('connects a client that starts it with a server at %s', async (name) => {
    const { server } = scene();
    const urls: string[] = [];
    await joins[name]?.(server, onTestFinished, (url) => urls.push(url));
    const { transport } = asChild(urls);
    const remote = await connected(transport, version);
    expect(remote.info).toMatchObject({ name: 'behind', version: '1.2.3' });
    expect(await textOf(remote, 'summarise')).toContain('yes');
    const open: number[] = [];
    server.connections$.subscribe((all) => open.push(all.length));
    await remote.close();
    // Over HTTP a request needs no connection that would end.
    if (name === 'websocket' || version === '2025-11-25') await until(() => open.at(-1) === 0);
  });
});

it('listens in several ways at once, starts a server for each session, and ends in order on request', async () => {
  const bridge = start(['--http', '0', '--sse', '0', '--ws', '0', '--', ...behind()]);
  const urls = await bridge.listening(3);
  expect(urls.map((url) => new URL(url).protocol)).toEqual(['http:', 'http:', 'ws:']);
  expect(urls.map((url) => new URL(url).pathname)).toEqual(['/mcp', '/sse', '/mcp']);
  for (const [at, url] of urls.entries()) {
    const remote = await connected(transportFor(url), at === 2 ? '2026-07-28' : '2025-11-25');
    await exercised(remote, bridge.stderr);
  }
  const behindIt = bridge.behind();
  expect(new Set(behindIt).size).toBe(3);
  bridge.child.kill('SIGTERM');
  expect(await bridge.ended).toBe(0);
  await gone(behindIt);
  expect(bridge.stderr().split('ended in order')).toHaveLength(4);
  expect(bridge.stdout()).toBe('');
});
