import { mkdtempSync, rmSync } from 'node:fs';
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
  afterAll(() => rmSync(folder, { recursive: true, force: true }), 120_000);

  const results = new Map<string, Promise<{ printed: string; promised: string }>>();
  beforeAll(() => {
    const tarballs = tarballsOf(packages);
    const unpacked = exhaustive ? undefined : new Map();
    let lanes = [Promise.resolve(), Promise.resolve()];
    packages.forEach((pkg, at) => {
      const result = lanes[at % lanes.length]?.then(() => standAlone(pkg, tarballs, folder, unpacked));
      if (result === undefined) return;
      results.set(pkg.manifest.name, result);
      lanes = lanes.map((lane, index) => (index === at % lanes.length ? settled(result) : lane));
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
