import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { problemAffectsResolutionKind } from '@arethetypeswrong/core/problems';

/** The packages are modules only: neither `require` nor the resolution of before `exports` finds them. */
const kinds = ['node16-esm', 'bundler'] as const;

/** What is wrong where a package of modules is imported: missing declarations, or ones that do not say what is there. */
export async function resolutionProblems(tarball: Uint8Array): Promise<readonly unknown[]> {
  const analysis = await checkPackage(createPackageFromTarballData(tarball));
  if (analysis.types === false) return ['the package has no types'];
  return analysis.problems.filter((problem) =>
    kinds.some((kind) => problemAffectsResolutionKind(problem, kind, analysis)),
  );
}
