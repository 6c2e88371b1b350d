import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { once, type Remote } from 'rxmcp';
import { isMissing, resources, textOf } from 'rxmcp/resources';
import { tools } from 'rxmcp/tools';
import { filter, firstValueFrom, map, type Observable, tap } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { folderUri } from '../src/folder/folder-uri.js';
import { desk, revisions, tempFolder } from './desk.js';
import { gitIn } from './git-in.js';

// They wait for the disk, which may be busy.
vi.setConfig({ testTimeout: 30_000 });

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
  it('a file that is written is pushed to who follows it', async () => {
    const root = await tempFolder();
    const path = join(root, 'live.txt');
    await writeFile(path, 'one');
    const remote = await desk({ root }, { version });
    const followed = resources(remote).watch(`${folderUri(root)}live.txt`);
    expect(followed.live).toBe(true);
    const text$ = followed.pipe(map(([file]) => textOf(file!)));
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
      .pipe(map(([file]) => textOf(file!)));
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
    // Empty at first: the file in it comes when the directory has to be watched already.
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

  it('the log is pushed, and reading it is no news', async () => {
    const remote = await desk({ root: await tempFolder() }, { version });
    const log$ = resources(remote)
      .watch('logs://recent')
      .pipe(map(([log]) => textOf(log!)));
    const search = (): Promise<unknown> => once(tools(remote).call('search_files', { query: 'x' }));
    const text = await after(log$, search, (log) => log.includes('search_files'));
    expect(text.trim().split('\n')).toHaveLength(2);
  });
});

it('a file that is ignored from now on leaves the list and cannot be read', async () => {
  const root = await tempFolder();
  gitIn(root);
  await writeFile(join(root, 'key.txt'), 'secret');
  const remote = await desk({ root });
  const list$ = names(remote);
  await after(
    list$,
    () => writeFile(join(root, '.gitignore'), 'key.txt\n'),
    (list) => !list.includes('key.txt'),
  );
  const error = await once(resources(remote).read(`${folderUri(root)}key.txt`)).catch(
    (cause: unknown) => cause,
  );
  expect(isMissing(error)).toBe(true);
});
