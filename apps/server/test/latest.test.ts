import { setImmediate } from 'node:timers/promises';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { firstValueFrom, skip, Subject } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Folder, openFolder } from '../src/folder/folder.js';
import type { Snapshot } from '../src/folder/scan.js';
import { tempFolder } from './desk.js';
import { gitIn } from './git-in.js';

// They wait for the disk, which may be busy.

/** Opens a folder and follows it; resolves with what was seen first. */
async function followed(
  root: string,
  warn = (_message: string): void => undefined,
): Promise<{ readonly folder: Folder; readonly seen: Snapshot }> {
  const folder = await openFolder(root, { warn });
  const following = folder.files$.subscribe();
  onTestFinished(() => following.unsubscribe());
  return { folder, seen: await firstValueFrom(folder.files$) };
}

describe('the current files', () => {
  it('include a file written right before the request, while the folder is followed', async () => {
    const root = await tempFolder();
    const { folder } = await followed(root);
    writeFileSync(join(root, 'new.txt'), '');
    expect([...(await folder.latest()).files.keys()]).toEqual(['new.txt']);
  });

  it('are not those of a scan that began before the request', async () => {
    const root = await tempFolder();
    const folder = await openFolder(root);
    for (let file = 0; file < 50; file += 1) {
      const before = folder.latest();
      // Into the middle of that look, each time a little further.
      for (let turn = 0; turn < file; turn += 1) await setImmediate();
      writeFileSync(join(root, `${file}.txt`), '');
      expect((await folder.latest()).files.has(`${file}.txt`)).toBe(true);
      await before;
    }
  });
});

describe('a file that is asked for by its path', () => {
  it('does not exist from the moment it is ignored, while the folder is followed', async () => {
    const root = await tempFolder();
    gitIn(root);
    writeFileSync(join(root, 'key.txt'), '');
    const { folder } = await followed(root);
    // In one go, so that no change is noticed before the file is asked for.
    writeFileSync(join(root, '.gitignore'), 'key.txt\n');
    expect(await folder.find('key.txt')).toBeUndefined();
  });

  it('is known without a scan of the disk where nothing changed', async () => {
    const root = await tempFolder();
    writeFileSync(join(root, 'a.txt'), '');
    const { folder, seen } = await followed(root);
    // Each look makes entries of its own.
    expect(await folder.find('a.txt')).toBe(seen.files.get('a.txt'));
  });

  it('is withheld where a scan failed, until one succeeds', async () => {
    const root = await tempFolder();
    gitIn(root);
    writeFileSync(join(root, 'a.txt'), '');
    const settings = readFileSync(join(root, '.git/config'));
    const warned = new Subject<string>();
    const { folder } = await followed(root, (message) => warned.next(message));
    const failed = firstValueFrom(warned);
    writeFileSync(join(root, '.git/config'), '[broken\n');
    expect(await failed).toMatch(/bad config/);
    await expect(folder.find('a.txt')).rejects.toThrow(/bad config/);
    const again = firstValueFrom(folder.files$.pipe(skip(1)));
    writeFileSync(join(root, '.git/config'), settings);
    const { files } = await again;
    expect(await folder.find('a.txt')).toBe(files.get('a.txt'));
  });
});
