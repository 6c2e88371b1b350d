import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { logging } from 'rxmcp/logging';
import { once, type RpcError } from 'rxmcp';
import packageJson from 'rxmcp/package.json' with { type: 'json' };
import { resources, readText } from 'rxmcp/resources';
import { tools } from 'rxmcp/tools';
import { filter, firstValueFrom, take } from 'rxjs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { desk, revisions, tempFolder } from './desk.js';

// They wait for the disk, which may be busy.

it('clients may cache the lists of tools and prompts', async () => {
  const remote = await desk({ root: await tempFolder() });
  const kept = { ttlMs: 300_000, cacheScope: 'public' };
  expect(await once(remote.request('prompts/list', {}))).toMatchObject(kept);
  expect(await once(remote.request('tools/list', {}))).toMatchObject({ ...kept, cacheScope: 'private' });
  expect(await once(remote.request('resources/list', {}))).toMatchObject({ ttlMs: 0 });
});

it('a caller may make 2,000 requests at once, and further ones are rejected for a while', async () => {
  const remote = await desk({ root: await tempFolder() });
  // The clock stands still, so that no request is allowed again.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  onTestFinished(() => clock.mockRestore());
  const outcomes = new Map<string, number>();
  for (let round = 0; round < 21; round += 1) {
    const calls = Array.from({ length: 100 }, () =>
      once(tools(remote).call('calculate_sum', { a: 1, b: 2 })).then(
        () => 'done',
        (error: unknown) => String((error as RpcError).code),
      ),
    );
    for (const outcome of await Promise.all(calls)) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  expect(Object.fromEntries(outcomes)).toEqual({ done: expect.any(Number), '-31001': expect.any(Number) });
  expect(outcomes.get('done')).toBeGreaterThan(1_900);
  expect(outcomes.get('done')).toBeLessThanOrEqual(2_000);
});

describe.each(revisions)('the server in %s', (version) => {
  it('gives its name and version, and has a custom method', async () => {
    const remote = await desk({ root: await tempFolder() }, { version });
    expect(remote.info).toMatchObject({ name: 'rxmcp-demo', version: packageJson.version });
    expect(remote.instructions).toContain('It has 0 files.');
    expect(await once(remote.request('demo/echo', { a: [1, null] }))).toMatchObject({
      echo: { a: [1, null] },
    });
  });

  it('logs what its handlers do to clients that set a log level', async () => {
    const remote = await desk({ root: await tempFolder() }, { version });
    const record = firstValueFrom(logging(remote).records$);
    await once(logging(remote).setLevel('info')).catch(() => undefined);
    await once(tools(remote).call('search_files', { query: 'x' }));
    expect(await record).toMatchObject({ level: 'info', data: 'search_files: 0 matches in 0 files' });
  });

  it('a search ends when it is cancelled', async () => {
    const root = await tempFolder();
    await Promise.all(
      Array.from({ length: 300 }, (_, at) => writeFile(join(root, `${at}.txt`), 'x'.repeat(20_000))),
    );
    const remote = await desk({ root }, { version });
    const events = tools(remote).events('search_files', { query: 'nowhere' });
    const first = await firstValueFrom(
      events.pipe(
        filter((event) => event.type === 'progress'),
        take(1),
      ),
    );
    expect(first).toMatchObject({ total: 300 });
    // A second search takes as long as the first would have; only one that reaches its end is written down.
    await once(tools(remote).call('search_files', { query: 'elsewhere' }));
    const [log] = await once(resources(remote).read('logs://recent'));
    expect(readText(log!).match(/search_files/g)).toHaveLength(1);
  });
});
