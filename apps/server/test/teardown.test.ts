import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { defineClient, once } from 'rxmcp';
import { memory } from 'rxmcp/memory';
import { resources } from 'rxmcp/resources';
import { expect, it } from 'vitest';
import { demoServer } from '../src/demo-server.js';
import { tempFolder } from './desk.js';

/** How many directories this process watches, as the kernel counts them. */
function watched(): number {
  const folder = '/proc/self/fdinfo';
  return readdirSync(folder)
    .flatMap((fd) => {
      try {
        return readFileSync(join(folder, fd), 'utf8').split('\n');
      } catch {
        // Closed since it was listed.
        return [];
      }
    })
    .filter((line) => line.startsWith('inotify wd:')).length;
}

it.skipIf(process.platform !== 'linux')(
  'the disk is watched as long as a client is connected (counted on Linux)',
  async () => {
    const root = await tempFolder();
    await mkdir(join(root, 'a/b'), { recursive: true });
    await writeFile(join(root, 'a/b/c.txt'), '');
    const before = watched();
    // Its own directories, and each above it: a repository may appear there.
    const wanted =
      before +
      3 +
      dirname(root)
        .split(sep)
        .filter((name) => name !== '').length +
      1;
    const link = memory();
    const handle = link.serve(await demoServer({ root }));
    expect(watched()).toBe(before);
    const client = defineClient({ info: { name: 'desk', version: '1' } });
    for (let round = 0; round < 2; round += 1) {
      const [one, two] = await Promise.all([client.connect(link), client.connect(link)]);
      await once(resources(one).list());
      expect(watched()).toBe(wanted);
      await one.close();
      await once(resources(two).list());
      expect(watched()).toBe(wanted);
      await two.close();
      await expect.poll(watched).toBe(before);
    }
    await handle.close();
  },
);
