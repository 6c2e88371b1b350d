import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exhaustive } from '../../../../vitest.exhaustive.js';
import { publicPackages } from '../public-packages.js';
import { standAlone, tarballsOf } from './stand-alone.js';

/** Every package does alone what its README shows. npm itself, which takes seconds, installs in an exhaustive run. Needs a build. */
describe('a package works alone', () => {
  const packages = publicPackages();
  const folder = mkdtempSync(join(tmpdir(), 'rxmcp-packed-'));
  let lanes = [Promise.resolve(), Promise.resolve()];
  afterAll(async () => {
    await Promise.all(lanes);
    await rm(folder, { recursive: true, force: true });
  }, 600_000);

  const results = new Map<string, Promise<{ printed: string; promised: string }>>();
  beforeAll(() => {
    const tarballs = tarballsOf(packages);
    const unpacked = exhaustive ? undefined : new Map();
    packages.forEach((pkg, at) => {
      const place = join(folder, `reader-${String(at)}`);
      const result = lanes[at % lanes.length]?.then(() => standAlone(pkg, tarballs, place, unpacked));
      if (result === undefined) return;
      results.set(pkg.manifest.name, result);
      const done = settled(result).then(async () => {
        // What npm has installed goes at once: on a slow disk, removing that of all packages takes minutes.
        if (exhaustive) await rm(place, { recursive: true, force: true });
      });
      lanes = lanes.map((lane, index) => (index === at % lanes.length ? done : lane));
    });
  });

  it.each(packages.map((pkg) => pkg.manifest.name))('%s', async (name) => {
    const result = await results.get(name);
    expect(result?.printed.trim()).toBe(result?.promised.trim());
    expect(result?.promised.trim()).not.toBe('');
  });
});

async function settled(work: Promise<unknown>): Promise<void> {
  await work.catch(() => undefined);
}
