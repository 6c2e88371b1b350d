import { setImmediate } from 'node:timers/promises';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { firstValueFrom } from 'rxjs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openFolder } from '../src/folder/folder.js';
import { tempFolder } from './desk.js';

// They wait for the disk, which may be busy.
vi.setConfig({ testTimeout: 30_000 });

describe('the files as they are now', () => {
  it('hold what was written right before they were asked for, while the folder is followed', async () => {
    const root = await tempFolder();
    const folder = await openFolder(root);
    const followed = folder.files$.subscribe();
    onTestFinished(() => followed.unsubscribe());
    await firstValueFrom(folder.files$);
    writeFileSync(join(root, 'new.txt'), '');
    expect([...(await folder.latest()).files.keys()]).toEqual(['new.txt']);
  });

  it('are not those of a look that began before they were asked for', async () => {
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
