import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { git } from './git.js';

/**
 * The files that say what git ignores, of those in the folder only `.git` itself: the others are in the directory of git, where no
 * look at the folder leads, and above the folder. Rejects with GitError.
 */
export async function ignoreRules(root: string): Promise<readonly string[]> {
  // What is in the index is not ignored, and `info` may be missing at first.
  const files = ['index', 'config', 'info', 'info/exclude'];
  const asked = files.flatMap((name) => ['--git-path', name]);
  const lines = (await git(root, ['rev-parse', ...asked, '--show-cdup'])).stdout.split('\n');
  const up = lines[files.length] ?? '';
  const above = (up.match(/\.\.\//g) ?? []).map((step, at) => `${step.repeat(at + 1)}.gitignore`);
  const paths = [...lines.slice(0, files.length), ...above].map((path) => resolve(root, path));
  return [...paths, ...gitsUpTo(root, resolve(root, up))].filter((path) => existsSync(dirname(path)));
}

/** The `.git` of a folder and of each above it, up to the top: a repository may appear in any of them. */
export function gitsUpTo(root: string, top?: string): string[] {
  const found = [join(root, '.git')];
  for (let at = root; at !== top && dirname(at) !== at;) {
    at = dirname(at);
    found.push(join(at, '.git'));
  }
  return found;
}
