import { readdir, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { RpcError } from 'rxmcp';
import { codes } from '../errors.js';
import { fromTop } from '../folder/folder-uri.js';
import { git, GitError } from '../folder/git.js';

/** A change to write a commit message for, and which one it is. */
interface Changes {
  readonly which: 'the staged changes' | 'the changes of the working tree' | 'the last commit';
  readonly diff: string;
  readonly cut: boolean;
}

// The settings of a folder may name programs that make diffs; these keep them out. Those of a submodule are settings of their own,
// so that git must not look into one. Changes above the folder are not included.
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
  rejected: 'git does not tell the changes of this folder',
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

/**
 * The options with which git runs none of the filters that its settings name: those of a folder may be any program. What they keep
 * out of a repository then shows as a change. Rejects with GitError.
 */
async function filtersOff(root: string, signal: AbortSignal): Promise<readonly string[]> {
  const { stdout, cut } = await git(root, ['config', '--null', '--name-only', '--list'], { signal });
  const found = stdout.split('\0').flatMap((key) => /^filter\.(.+)\.[^.]+$/.exec(key)?.[1] ?? []);
  const names = [...new Set(found)];
  // Git would take such a name to end at its first "=", and the filter would run.
  if (cut || names.some((name) => name.includes('=')))
    throw new GitError('a filter of this folder cannot be turned off', 'rejected');
  return names.flatMap((name) =>
    ['clean=', 'process=', 'required=false'].flatMap((setting) => ['-c', `filter.${name}.${setting}`]),
  );
}

/**
 * Rejects with GitError unless the folder is in a work tree of git, and the repository is that work tree's own. A folder can bring
 * a `.git` that names another work tree or repository, and git would tell what is there.
 */
async function requireOwnRepository(root: string, signal: AbortSignal): Promise<void> {
  const said = async (...args: readonly string[]): Promise<string> => {
    const { stdout } = await git(root, args, { signal });
    return stdout.replace(/\r?\n$/, '');
  };
  const path = async (flag: string): Promise<string> => real(root, await said('rev-parse', flag));
  if ((await said('rev-parse', '--is-inside-work-tree')) !== 'true')
    throw new GitError('the work tree is elsewhere', 'no-work-tree');
  const [top, own, common] = await Promise.all([
    path('--show-toplevel'),
    path('--absolute-git-dir'),
    path('--git-common-dir'),
  ]);
  const setting = (): Promise<string> => said('config', '--path', 'core.worktree').catch(() => '');
  const belongs =
    common === own
      ? own === join(top, '.git') || top === (await real(own, await setting()))
      : own === join(common, 'worktrees', basename(own)) && top === (await linkedTo(own));
  // Who brings the repository along chooses where its objects come from, too.
  const isBrought = !fromTop(root, common).startsWith('../');
  if (!belongs || (isBrought && !(await isWhole(join(common, 'objects')))))
    throw new GitError('the repository is elsewhere, and not of this folder', 'foreign');
}

/** The top of a linked work tree (`git worktree add`), as its repository has noted it. */
async function linkedTo(own: string): Promise<string | undefined> {
  const noted = await readFile(join(own, 'gitdir'), 'utf8').catch(() => undefined);
  return noted === undefined ? undefined : real(own, dirname(noted.trimEnd()));
}

/** Whether all objects are in their directory: nothing in it leads out, and nothing is borrowed from another repository. */
async function isWhole(objects: string): Promise<boolean> {
  if ((await real(objects, '.')) !== objects) return false;
  const entries = await readdir(objects, { withFileTypes: true, recursive: true });
  return entries.every((entry) => !entry.isSymbolicLink() && entry.name !== 'alternates');
}

async function real(from: string, path: string): Promise<string> {
  try {
    return await realpath(resolve(from, path));
  } catch (cause) {
    throw new GitError('git names a path that is not there', 'rejected', cause);
  }
}
