import { RpcError } from 'rxmcp';
import { codes } from '../errors.js';
import { git, GitError } from '../folder/git.js';
import { filtersOff } from '../folder/git-filters.js';
import { requireOwnRepository } from '../folder/own-repository.js';

/** A change to write a commit message for, and which one it is. */
export interface Changes {
  readonly which: 'the staged changes' | 'the changes of the working tree' | 'the last commit';
  readonly diff: string;
  readonly cut: boolean;
}

// The settings of a folder may name programs that make diffs; these keep them out. Those of a submodule are settings of their own,
// so that git must not look into one; and what lies above the folder is none of its changes.
const plainDiff = [
  ...['--no-ext-diff', '--no-textconv', '--submodule=short', '--ignore-submodules=dirty'],
  ...['--no-color', '--relative'],
];
const maxBytes = 100_000;

/**
 * What is staged, else what is changed in the working tree, else the last commit. Rejects with NO_GIT where there is no git,
 * no work tree or no repository of the folder's own, and with NO_CHANGES where there is nothing at all.
 */
export async function changesOf(root: string, signal: AbortSignal): Promise<Changes> {
  const ask = async (which: Changes['which'], args: readonly string[]): Promise<Changes | undefined> => {
    const { stdout, cut } = await git(root, args, { maxBytes, signal });
    return stdout.trim() === '' ? undefined : { which, diff: stdout, cut };
  };
  try {
    // Outside of a work tree `git diff` is another command, and says something else.
    await requireOwnRepository(root, signal);
    const found =
      (await ask('the staged changes', ['diff', '--cached', ...plainDiff])) ??
      (await ask('the changes of the working tree', [
        ...(await filtersOff(root, signal)),
        'diff',
        ...plainDiff,
      ])) ??
      ((await hasCommits(root))
        ? await ask('the last commit', ['show', '--format=', ...plainDiff, 'HEAD'])
        : undefined);
    if (found !== undefined) return found;
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    throw new RpcError(codes.noGit, reasons[error.kind], { code: 'NO_GIT' });
  }
  throw new RpcError(codes.noChanges, 'nothing is staged, changed or committed in this folder', {
    code: 'NO_CHANGES',
  });
}

const reasons: Readonly<Record<GitError['kind'], string>> = {
  'no-git': 'there is no git where this server runs',
  'no-work-tree': 'this folder is in no git work tree',
  foreign: 'the git repository of this folder is elsewhere, and does not know of it',
  refused: 'git does not tell the changes of this folder',
};

async function hasCommits(root: string): Promise<boolean> {
  try {
    await git(root, ['rev-parse', '--verify', '--quiet', 'HEAD']);
    return true;
  } catch (error) {
    if (error instanceof GitError && !error.absent) return false;
    throw error;
  }
}
