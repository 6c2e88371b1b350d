import { git, GitError } from './git.js';

/**
 * The options with which git runs none of the filters that its settings name: those of a folder may be any program. What they keep
 * out of a repository then shows as a change. Rejects with GitError.
 */
export async function filtersOff(root: string, signal: AbortSignal): Promise<readonly string[]> {
  const { stdout, cut } = await git(root, ['config', '--null', '--name-only', '--list'], { signal });
  const found = stdout.split('\0').flatMap((key) => /^filter\.(.+)\.[^.]+$/.exec(key)?.[1] ?? []);
  const names = [...new Set(found)];
  // Git would take such a name to end at its first "=", and the filter would run.
  if (cut || names.some((name) => name.includes('=')))
    throw new GitError('a filter of this folder cannot be turned off', 'refused');
  return names.flatMap((name) =>
    ['clean=', 'process=', 'required=false'].flatMap((setting) => ['-c', `filter.${name}.${setting}`]),
  );
}
