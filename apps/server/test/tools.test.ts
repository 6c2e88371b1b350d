import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { once } from 'rxmcp';
import { offerRoots } from 'rxmcp/roots';
import { type ToolResult, tools } from 'rxmcp/tools';
import { lastValueFrom, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { desk, revisions, tempFolder } from './desk.js';

const textOf = ({ content }: ToolResult): string =>
  content.map((block) => ('text' in block ? block.text : '')).join('\n');

async function filled(): Promise<string> {
  const root = await tempFolder();
  await mkdir(join(root, 'src/deep'), { recursive: true });
  await mkdir(join(root, 'src-evil'));
  await writeFile(join(root, 'README.md'), '# Title\n\nNeedle in the readme.\n');
  await writeFile(join(root, 'src/a.ts'), 'const a = 1;\n// a NEEDLE\n');
  await writeFile(join(root, 'src/deep/b.ts'), '// needle one\n// needle two\n');
  await writeFile(join(root, 'src-evil/c.ts'), '// needle outside\n');
  await writeFile(join(root, 'picture.bin'), new Uint8Array([1, 0, 2]));
  return root;
}

describe.each(revisions)('tools in %s', (version) => {
  it('add two numbers', async () => {
    const remote = await desk({ root: await filled() }, { version });
    const result = await once(tools(remote).call('calculate_sum', { a: 2, b: 40 }));
    expect(textOf(result)).toBe('42');
  });

  it('search all files without roots, with progress and its total', async () => {
    const remote = await desk({ root: await filled() }, { version });
    const events = await lastValueFrom(
      tools(remote).events('search_files', { query: 'needle' }).pipe(toArray()),
    );
    const last = events.at(-1);
    if (last?.type !== 'result') throw new Error('no result');
    const found = JSON.parse(textOf(last.result)) as {
      matches: { path: string; line: number; text: string }[];
    };
    expect(found).toMatchObject({ filesSearched: 4, filesSkipped: 1, complete: true });
    expect(found).toHaveProperty('scope', expect.stringContaining('no roots'));
    expect(found.matches.map(({ path, line }) => `${path}:${line}`)).toEqual([
      'README.md:3',
      'src-evil/c.ts:1',
      'src/a.ts:2',
      'src/deep/b.ts:1',
      'src/deep/b.ts:2',
    ]);
    const progress = events.filter((event) => event.type === 'progress');
    expect(progress.at(-1)).toMatchObject({ progress: 5, total: 5 });
  });

  it('search only within the roots of the client, where a prefix is not a root', async () => {
    const root = await filled();
    const offers = [offerRoots([{ uri: pathToFileURL(join(root, 'src')).href, name: 'sources' }])];
    const remote = await desk({ root }, { version, offers });
    const result = await once(
      tools(remote).call('search_files', { query: 'needle', glob: '**/*.ts', caseSensitive: true }),
    );
    const found = JSON.parse(textOf(result)) as { matches: { path: string }[]; scope: string };
    expect(found.matches.map(({ path }) => path)).toEqual(['src/deep/b.ts', 'src/deep/b.ts']);
    expect(found.scope).toContain('sources');
    const refused = await once(tools(remote).call('summarize_file', { filepath: 'src-evil/c.ts' }));
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toContain('outside of the client');
  });

  it('return matches of the first root of the client first', async () => {
    const root = await filled();
    const uri = (folder: string): string => pathToFileURL(join(root, folder)).href;
    const searched = async (maxMatches: number, ...folders: string[]): Promise<string[]> => {
      const offers = [offerRoots(folders.map((folder) => ({ uri: uri(folder) })))];
      const remote = await desk({ root }, { version, offers });
      const wanted = { query: 'needle', glob: '**/*.ts', maxMatches };
      const result = await once(tools(remote).call('search_files', wanted));
      const { matches } = JSON.parse(textOf(result)) as { matches: { path: string; line: number }[] };
      return matches.map(({ path, line }) => `${path}:${line}`);
    };
    const [evil, a, ...deep] = ['src-evil/c.ts:1', 'src/a.ts:2', 'src/deep/b.ts:1', 'src/deep/b.ts:2'];
    expect(await searched(50, 'src', 'src-evil')).toEqual([a, ...deep, evil]);
    expect(await searched(50, 'src-evil', 'src')).toEqual([evil, a, ...deep]);
    // Also where the search ends before it has looked at all, and what comes first takes longer to read.
    await writeFile(join(root, 'src-evil/c.ts'), `${' '.repeat(900_000)}\n// needle outside\n`);
    expect(await searched(1, 'src-evil', 'src')).toEqual(['src-evil/c.ts:2']);
    await writeFile(join(root, 'src-evil/c.ts'), '// needle outside\n');
    // A file is its first root's, however many it is in.
    expect(await searched(50, 'src/deep', 'src', 'src-evil')).toEqual([...deep, a, evil]);
  });

  it.each([
    ['has no roots', [], {}, 'the client has no roots'],
    [
      'does not share them',
      [{ uri: 'file:///x' }],
      { approve: () => false },
      'the client did not share its roots',
    ],
    [
      'has roots that are not folders',
      [{ uri: 'https://api.example.com/v1' }],
      { dangerouslyAllowAnyUri: true },
      'no root of the client is a folder',
    ],
  ])('open the whole folder to a client that %s, and say so', async (_what, roots, options, why) => {
    const remote = await desk({ root: await filled() }, { version, offers: [offerRoots(roots, options)] });
    const call = once(tools(remote).call('search_files', { query: 'needle' }));
    // Since 2026-07-28 the call of a client that does not answer an ask ends there.
    if ('approve' in options && version === '2026-07-28') {
      await expect(call).rejects.toMatchObject({ code: 'ASK_REJECTED' });
      return;
    }
    expect(JSON.parse(textOf(await call))).toMatchObject({
      filesSearched: 4,
      scope: `the whole served folder, since ${why}`,
    });
  });

  it('stop at the wanted number of matches', async () => {
    const remote = await desk({ root: await filled() }, { version });
    const result = await once(tools(remote).call('search_files', { query: 'needle', maxMatches: 2 }));
    const found = JSON.parse(textOf(result)) as { matches: unknown[]; complete: boolean };
    expect(found.matches).toHaveLength(2);
    expect(found.complete).toBe(false);
  });
});
