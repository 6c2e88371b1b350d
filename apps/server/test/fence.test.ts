import { execFileSync } from 'node:child_process';
import { mkdir, rename, symlink, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { once, type RpcError } from 'rxmcp';
import { prompts } from 'rxmcp/prompts';
import { resources } from 'rxmcp/resources';
import { tools } from 'rxmcp/tools';
import { describe, expect, it } from 'vitest';
import { exhaustive } from '../../../vitest.exhaustive.js';
import { demoServer } from '../src/demo-server.js';
import { openFolder } from '../src/folder/folder.js';
import { folderUri } from '../src/folder/folder-uri.js';
import { openFile } from '../src/folder/open-file.js';
import { desk, tempFolder } from './desk.js';

const secret = 'not to be read';

/** A folder next to others that hold secrets, with links that lead to them. */
async function besides(): Promise<{ readonly root: string; readonly outside: string }> {
  const outside = await tempFolder();
  const root = join(outside, 'root');
  await mkdir(join(root, 'src'), { recursive: true });
  await mkdir(join(outside, 'root-evil'));
  await writeFile(join(outside, 'secret.txt'), secret);
  await writeFile(join(outside, 'root-evil/secret.txt'), secret);
  await writeFile(join(root, 'src/open.txt'), 'open');
  await writeFile(join(root, '.env'), secret);
  await symlink(join(outside, 'secret.txt'), join(root, 'link.txt'));
  await symlink(join(outside, 'root-evil'), join(root, 'linked'));
  await symlink(join(root, '.env'), join(root, 'inner.txt'));
  await symlink(join(root, 'src/open.txt'), join(root, 'fine.txt'));
  return { root, outside };
}

const escapes = (root: string, outside: string): string[] => [
  '../secret.txt',
  'src/../../secret.txt',
  '../root-evil/secret.txt',
  join(outside, 'secret.txt'),
  join(outside, 'root-evil/secret.txt'),
  `${root}-evil/secret.txt`,
  pathToFileURL(join(outside, 'secret.txt')).href,
  `${folderUri(root)}..%2Fsecret.txt`,
  'file://other.host/secret.txt',
  'link.txt',
  'linked/secret.txt',
  'inner.txt',
  '.env',
  './.env',
  'src/open.txt/../../.env',
  'src\0.txt',
  '/etc/passwd',
];

it('row 60: no tool and no prompt reads outside of the folder', async () => {
  const { root, outside } = await besides();
  const remote = await desk({ root });
  for (const path of escapes(root, outside)) {
    const summary = await once(tools(remote).call('summarize_file', { filepath: path }));
    expect(summary.isError, path).toBe(true);
    expect(JSON.stringify(summary), path).not.toContain(secret);
    const figures = await once(tools(remote).call('analyze_csv', { filepath: path, operations: ['count'] }));
    expect(figures.isError, path).toBe(true);
    await expect(once(prompts(remote).get('analyze-project', { file: path })), path).rejects.toThrow(
      /served/,
    );
  }
  const found = await once(tools(remote).call('search_files', { query: secret }));
  expect(found.structuredContent).toMatchObject({ matches: [], filesSearched: 2 });
});

it('row 60: no uri reads outside of the folder', async () => {
  const { root, outside } = await besides();
  const remote = await desk({ root });
  const top = folderUri(root);
  const uris = [
    `${top}../secret.txt`,
    `${top}%2e%2e/secret.txt`,
    `${top}..%2fsecret.txt`,
    `${top}src/..%5c..%5csecret.txt`,
    `${top}%00`,
    `${top}/etc/passwd`,
    `${top}link.txt`,
    `${top}linked/secret.txt`,
    `${top}linked`,
    `${top}inner.txt`,
    `${top}.env`,
    `${folderUri(`${root}-evil`)}secret.txt`,
    pathToFileURL(join(outside, 'secret.txt')).href,
    'file:///etc/passwd',
  ];
  for (const uri of uris) await expect(once(resources(remote).read(uri)), uri).rejects.toThrow();
  const list = await once(resources(remote).list());
  expect(list.map(({ name }) => name)).toEqual(['files', 'fine.txt', 'src/open.txt', 'recent-log']);
  const [fine] = await once(resources(remote).read(`${top}fine.txt`));
  expect(fine).toMatchObject({ text: 'open' });
});

it('row 60: a file has one uri, so that a rule on its text cannot be evaded', async () => {
  const { root } = await besides();
  const remote = await desk({ root });
  const top = folderUri(root);
  for (const path of ['src/open.txt/', 'fine.txt/', 'none/', 'src/open.txt/.', './fine.txt', 'src//open.txt'])
    await expect(once(resources(remote).read(`${top}${path}`)), path).rejects.toThrow(
      /^(?:no resource|.*segment)/,
    );
  const missing = async (path: string): Promise<string> => {
    const error = await once(resources(remote).read(`${top}${path}`)).catch((cause: unknown) => cause);
    return JSON.stringify([(error as RpcError).code, (error as RpcError).message]).replace(path, '');
  };
  expect(await missing('fine.txt/')).toBe(await missing('none.txt'));
  for (const path of ['src', 'src/'])
    expect(await once(resources(remote).read(`${top}${path}`))).toMatchObject([{ text: 'open' }]);
});

it('row 60: a directory that is swapped for a link after it was found is not read through', async () => {
  const { root, outside } = await besides();
  const folder = await openFolder(root);
  const entry = (await folder.find('src/open.txt'))!;
  await writeFile(join(outside, 'root-evil/open.txt'), secret);
  await rename(join(root, 'src'), join(root, 'moved'));
  await symlink(join(outside, 'root-evil'), join(root, 'src'));
  await expect(openFile(folder, entry)).rejects.toThrow(/rejected/);
});

it('row 60: a race of swaps never shows a file outside', async () => {
  const { root, outside } = await besides();
  await writeFile(join(outside, 'root-evil/open.txt'), secret);
  const folder = await openFolder(root);
  const entry = (await folder.find('src/open.txt'))!;
  const [inside, moved, evil] = [join(root, 'src'), join(root, 'moved'), join(outside, 'root-evil')];
  let racing = true;
  const swaps = (async () => {
    while (racing) {
      await rename(inside, moved);
      await symlink(evil, inside);
      await unlink(inside);
      await rename(moved, inside);
    }
  })();
  const outcome = async (): Promise<string> => {
    const file = await openFile(folder, entry).catch(() => undefined);
    const read = file === undefined ? 'refused' : await file.readFile('utf8');
    await file?.close();
    return read;
  };
  const outcomes = new Set<string>();
  try {
    for (let read = 0; read < (exhaustive ? 10_000 : 1_000); read++) outcomes.add(await outcome());
  } finally {
    racing = false;
    await swaps;
  }
  expect(outcomes).not.toContain(secret);
  // How often the file is at its place at a look depends on the machine.
  expect(await outcome()).toBe('open');
});

it('without git, neither dot files nor node_modules and dist are listed, read or searched', async () => {
  const root = await tempFolder();
  const hidden = ['.env', '.cache/a.txt', 'node_modules/p/index.js', 'dist/out.js', 'src/dist/out.js'];
  for (const path of [...hidden, 'src/open.js', 'distant.js']) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), secret);
  }
  const remote = await desk({ root });
  const list = await once(resources(remote).list());
  const files = list.filter(({ uri }) => uri.startsWith('file:') && uri.endsWith('.js'));
  expect(files.map(({ uri }) => uri)).toEqual(
    ['distant.js', 'src/open.js'].map((path) => folderUri(root) + path),
  );
  for (const path of [...hidden, 'node_modules', 'dist', '.cache']) {
    await expect(once(resources(remote).read(folderUri(root) + path)), path).rejects.toThrow();
  }
  const found = await once(tools(remote).call('search_files', { query: secret }));
  const { matches } = found.structuredContent as { matches: { path: string }[] };
  expect(matches.map(({ path }) => path)).toEqual(['distant.js', 'src/open.js']);
});

describe('what git ignores', () => {
  it('is neither listed nor read, though it lies in the folder', async () => {
    const root = await tempFolder();
    execFileSync('git', ['init', '-q', root]);
    await mkdir(join(root, 'built/deep'), { recursive: true });
    await writeFile(join(root, '.gitignore'), 'built/\n*.key\n');
    await writeFile(join(root, 'built/deep/out.txt'), secret);
    await writeFile(join(root, 'my.key'), secret);
    await writeFile(join(root, '.hidden'), 'shown, since git has it');
    const remote = await desk({ root });
    const top = folderUri(root);
    const list = await once(resources(remote).list());
    expect(list.map(({ name }) => name)).toEqual(['files', '.gitignore', '.hidden', 'recent-log']);
    for (const path of ['my.key', 'built/deep/out.txt', 'built/deep', '.git/config', '.git']) {
      await expect(once(resources(remote).read(top + path)), path).rejects.toThrow();
    }
    const found = await once(tools(remote).call('search_files', { query: secret }));
    expect(found.structuredContent).toMatchObject({ matches: [] });
  });

  it('is unknown where git fails, so nothing is served', async () => {
    const root = await tempFolder();
    execFileSync('git', ['init', '-q', root]);
    await writeFile(join(root, '.git/config'), '[broken\n');
    await expect(demoServer({ root })).rejects.toThrow(/bad config/);
  });
});
