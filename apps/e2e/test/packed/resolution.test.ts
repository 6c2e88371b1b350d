import { readFileSync } from 'node:fs';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { problemAffectsResolutionKind } from '@arethetypeswrong/core/problems';
import { expect, it } from 'vitest';
import { publicPackages } from '../public-packages.js';
import { tarballsOf } from './stand-alone.js';

const packages = publicPackages();
const tarballs = tarballsOf(packages);
const names = packages.map(({ manifest }) => manifest.name);

/** The packages are modules only: neither `require` nor the resolution of before `exports` finds them. */
const kinds = ['node16-esm', 'bundler'] as const;

/** Every way to import a package finds its declarations, and they say what is there. Needs a build. */
it.each(names)('TypeScript finds all of %s', async (name) => {
  const tarball = readFileSync(tarballs.get(name) ?? expect.unreachable(name));
  const analysis = await checkPackage(createPackageFromTarballData(tarball));
  if (analysis.types === false) expect.unreachable(`${name} has no types`);
  const found = analysis.problems.filter((problem) =>
    kinds.some((kind) => problemAffectsResolutionKind(problem, kind, analysis)),
  );
  expect(found).toEqual([]);
});
