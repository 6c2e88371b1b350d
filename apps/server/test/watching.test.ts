import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { once, type Remote } from 'rxmcp';
import { isResourceNotFound, resources, readText } from 'rxmcp/resources';
import { tools } from 'rxmcp/tools';
import { filter, firstValueFrom, map, type Observable, tap } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { folderUri } from '../src/folder/folder-uri.js';
import { desk, revisions, tempFolder } from './desk.js';
import { gitIn } from './git-in.js';

// They wait for the disk, which may be busy.

const names = (remote: Remote): Observable<readonly string[]> =>
  resources(remote).list$.pipe(map((list) => list.map(({ name }) => name)));

/** Does something once the first value is there, and waits for a value that fits. */
async function after<T>(
  values: Observable<T>,
  act: () => Promise<unknown>,
  fits: (value: T) => boolean,
): Promise<T> {
  let acted = false;
  return firstValueFrom(
    values.pipe(
      tap(() => {
        if (!acted) void act();
        acted = true;
      }),
      filter(fits),
    ),
  );
}

describe.each(revisions)('the disk is watched in %s', (version) => {
  it('a written file is pushed to its followers', async () => {
    const root = await tempFolder();
    const path = join(root, 'live.txt');
    await writeFile(path, 'one');
    const remote = await desk({ root }, { version });
    const followed = resources(remote).watch(`${folderUri(root)}live.txt`);
    expect(followed.isLive).toBe(true);
    const text$ = followed.pipe(map(([file]) => readText(file!)));
    await after(
      text$,
      () => writeFile(path, 'two'),
      (text) => text === 'two',
    );
  });

  it('a file that is replaced, as editors do, is pushed too', async () => {
    const root = await tempFolder();
    await writeFile(join(root, 'live.txt'), 'one');
    const remote = await desk({ root }, { version });
    const replace = async (): Promise<void> => {
      await writeFile(join(root, 'live.txt.new'), 'two');
      await rename(join(root, 'live.txt.new'), join(root, 'live.txt'));
    };
    const text$ = resources(remote)
      .watch(`${folderUri(root)}live.txt`)
      .pipe(map(([file]) => readText(file!)));
    await after(text$, replace, (text) => text === 'two');
  });

  it('new files and new directories come into the list, and leave it', async () => {
    const root = await tempFolder();
    await writeFile(join(root, 'a.txt'), '');
    const remote = await desk({ root }, { version });
    const list$ = names(remote);
    const kept = list$.subscribe();
    await after(
      list$,
      () => writeFile(join(root, 'b.txt'), ''),
      (list) => list.includes('b.txt'),
    );
    // Empty at first: the file in it comes when the directory must be watched already.
    await mkdir(join(root, 'deep/deeper'), { recursive: true });
    await after(
      list$,
      () => writeFile(join(root, 'deep/deeper/c.txt'), ''),
      (list) => list.includes('deep/deeper/c.txt'),
    );
    await after(
      list$,
      () => rm(join(root, 'deep'), { recursive: true }),
      (list) => !list.includes('deep/deeper/c.txt'),
    );
    kept.unsubscribe();
  });

  it('a directory is pushed when a file in it changes', async () => {
    const root = await tempFolder();
    await mkdir(join(root, 'docs'));
    await writeFile(join(root, 'docs/a.md'), 'a');
    const remote = await desk({ root }, { version });
    const docs$ = resources(remote).watch(`${folderUri(root)}docs`);
    await after(
      docs$,
      () => writeFile(join(root, 'docs/b.md'), 'b'),
      (files) => files.length === 2,
    );
  });

  it('the log is pushed, and reading it is not a change', async () => {
    const remote = await desk({ root: await tempFolder() }, { version });
    const log$ = resources(remote)
      .watch('logs://recent')
      .pipe(map(([log]) => readText(log!)));
    const search = (): Promise<unknown> => once(tools(remote).call('search_files', { query: 'x' }));
    const text = await after(log$, search, (log) => log.includes('search_files'));
    expect(text.trim().split('\n')).toHaveLength(2);
  });
});

describe('a newly ignored file leaves the list and cannot be read', () => {
  const ignored = (path: string): Promise<void> => writeFile(path, 'key.txt\n');

  it.each<[string, (top: string) => Promise<unknown>, (top: string) => unknown]>([
    ['.gitignore', async (top) => gitIn(top), (top) => ignored(join(top, 'deep/root/.gitignore'))],
    ['.gitignore above the folder', async (top) => gitIn(top), (top) => ignored(join(top, '.gitignore'))],
    [
      '.gitignore, out of the index',
      async (top) => {
        await ignored(join(top, 'deep/root/.gitignore'));
        gitIn(top)('add', '--force', 'deep/root/key.txt');
      },
      (top) => gitIn(top)('rm', '--quiet', '--cached', 'deep/root/key.txt'),
    ],
    ['info/exclude', async (top) => gitIn(top), (top) => ignored(join(top, '.git/info/exclude'))],
    [
      'info/exclude, without info at first',
      async (top) => {
        gitIn(top);
        await rm(join(top, '.git/info'), { recursive: true });
      },
      async (top) => {
        await mkdir(join(top, '.git/info'));
        await ignored(join(top, '.git/info/exclude'));
      },
    ],
    [
      'a repository that was none before',
      (top) => ignored(join(top, 'deep/root/.gitignore')),
      (top) => gitIn(join(top, 'deep/root')),
    ],
    ['a repository above the folder', (top) => ignored(join(top, '.gitignore')), (top) => gitIn(top)],
    [
      'a repository between the folder and the one before',
      async (top) => {
        gitIn(top);
        await ignored(join(top, 'deep/.gitignore'));
        gitIn(top)('add', '--force', 'deep/root/key.txt');
      },
      (top) => gitIn(join(top, 'deep')),
    ],
  ])('%s', async (_name, prepare, ignore) => {
    const top = await tempFolder();
    const root = join(top, 'deep/root');
    await mkdir(root, { recursive: true });
    await writeFile(join(root, 'key.txt'), 'secret');
    await prepare(top);
    const remote = await desk({ root });
    await after(
      names(remote),
      async () => ignore(top),
      (list) => !list.includes('key.txt'),
    );
    const read = once(resources(remote).read(`${folderUri(root)}key.txt`));
    expect(isResourceNotFound(await read.catch((cause: unknown) => cause))).toBe(true);
  });
  it('info/exclude of a repository that replaced another', async () => {
    const [root, other] = [await tempFolder(), await tempFolder()];
    for (const folder of [root, other]) gitIn(folder);
    await writeFile(join(other, '.git/info/exclude'), 'other.txt\n');
    for (const name of ['key.txt', 'other.txt']) await writeFile(join(root, name), '');
    const list$ = names(await desk({ root }));
    const kept = list$.subscribe();
    await after(
      list$,
      async () => {
        await rename(join(root, '.git'), join(other, 'was'));
        await rename(join(other, '.git'), join(root, '.git'));
      },
      (list) => !list.includes('other.txt'),
    );
    await after(
      list$,
      () => ignored(join(root, '.git/info/exclude')),
      (list) => !list.includes('key.txt'),
    );
    kept.unsubscribe();
  });
});
