import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { Exports, isOf } from './checker.js';
import { madeUpStreams } from './made-up-streams.js';
import { untaggedStreams } from './stream-kinds.js';
import { publicPackages, type PublicPackage } from '../public-packages.js';
import { repository } from '../repository.js';

const packages = publicPackages();
const files = packages.flatMap((pkg) => entriesOf(pkg).map(({ types }) => types));
const madeUp = join(repository, 'packages/core/dist/made-up.ts');
// One program for all that follows: the compiler reads the types once.
const built = new Exports([...files, madeUp], new Map([[madeUp, madeUpStreams]]));

/**
 * An export is a promise: what a package offers changes only together with its snapshot.
 * Entries named `internal` promise nothing and are left out.
 * Types are read from what was built, as users get them: needs a build.
 * Rewrite the snapshots with `vitest run --project e2e test/exports -u`.
 */
describe('export names', () => {
  const snapshots = join(import.meta.dirname, 'names');

  it.each(packages.map((pkg) => [pkg.manifest.name, pkg] as const))('%s', async (name, pkg) => {
    const names: Record<string, Names> = {};
    for (const { entry, source, types } of entriesOf(pkg)) {
      const module = (await import(pathToFileURL(source).href)) as object;
      const typeNames = [...built.of(types)].filter(([, named]) => isOf(named, 'Type')).map(([type]) => type);
      names[entry] = { values: Object.keys(module).sort(), types: typeNames.sort() };
    }
    const text = `${JSON.stringify(names, null, 2)}\n`;
    await expect(text).toMatchFileSnapshot(join(snapshots, fileName(name)));
  });

  it('has no snapshot of a removed package', () => {
    const known = packages.map((pkg) => fileName(pkg.manifest.name));
    expect(readdirSync(snapshots).filter((file) => !known.includes(file))).toEqual([]);
  });

  it('rxmcp has every entry of every package but the kits for tests', () => {
    const entries = (name: string): string[] =>
      Object.keys(packages.find(({ manifest }) => manifest.name === name)?.manifest.exports ?? {});
    const scoped = packages.map(({ manifest }) => manifest.name).filter((name) => name.startsWith('@rxmcp/'));
    expect(scoped).toEqual(expect.arrayContaining(kits));
    const missing = scoped
      .filter((name) => !kits.includes(name))
      .flatMap((name) => entries(name).map((entry) => [name, entry] as const))
      .filter(([, entry]) => !isInternal(entry) && entry !== './package.json')
      .map(([name, entry]) => `./${fileName(name).slice(0, -5)}${entry.slice(1)}`.replace(/^\.\/core\b/, '.'))
      .filter((entry) => !entries('rxmcp').includes(entry));
    expect(missing).toEqual([]);
  });
});

/** The stream contract in ARCHITECTURE.md: every public Observable says of which kind it is. Needs a build. */
describe('every public stream states its kind', () => {
  it('in the packages', () => {
    expect(files).toContain(join(repository, 'packages/core/dist/index.d.ts'));
    expect(untaggedStreams(built, files)).toEqual([]);
  });

  it('or the check fails', () => {
    const where = 'packages/core/dist/made-up.ts has';
    expect(untaggedStreams(built, [madeUp])).toEqual([
      `Feed.all in ${where} no @stream`,
      `Feed.maybe$ in ${where} no @stream`,
      `Feed.misspelt$ in ${where} the unknown kind "satus"`,
      `Feed.now$ in ${where} no @stream`,
      `Hidden.found$ in ${where} no @stream`,
      `Made in ${where} no @stream`,
      `made in ${where} no @stream`,
      `operator in ${where} no @stream`,
      `plain.inner$ in ${where} no @stream`,
    ]);
  });
});

/** A class is both a value and a type. */
interface Names {
  readonly values: readonly string[];
  readonly types: readonly string[];
}

function entriesOf({
  manifest,
  directory,
}: PublicPackage): { entry: string; source: string; types: string }[] {
  return Object.entries(manifest.exports ?? {}).flatMap(([entry, target]) => {
    if (typeof target === 'string' || isInternal(entry)) return [];
    const source = join(directory, target['@rxmcp/source'] ?? '');
    return [{ entry, source, types: join(directory, target['types'] ?? '') }];
  });
}

/** What `rxmcp` leaves out. */
const kits = ['@rxmcp/testing', '@rxmcp/transport-tck'];

function isInternal(entry: string): boolean {
  return entry.endsWith('/internal');
}

function fileName(name: string): string {
  return `${name.replace('@rxmcp/', '')}.json`;
}
