import { readdir, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fromTop } from './folder-uri.js';
import { git, GitError } from './git.js';

/**
 * Rejects with GitError unless the folder is in a work tree of git, and the repository is that work tree's own. A folder can bring
 * a `.git` that names another work tree or repository, and git would tell what is there.
 */
export async function requireOwnRepository(root: string, signal: AbortSignal): Promise<void> {
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
    throw new GitError('git names a path that is not there', 'refused', cause);
  }
}
