import { type Dirent, existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { git, GitError } from './git.js';

/** The files of a folder that may be shown, and the directories that they can appear in. */
interface Found {
  readonly paths: ReadonlySet<string>;
  readonly directories: readonly string[];
  /** Full paths of other files: when one changes, something else may be shown. */
  readonly rules: readonly string[];
  /** Whether the folder is in a git work tree, which then says what may be shown. */
  readonly git: boolean;
  /** Whether there are more than were looked at. */
  readonly cut: boolean;
}

const maxEntries = 200_000;

/**
 * Finds the files of a folder that may be served: in a git work tree all that are not ignored, elsewhere all but `node_modules`,
 * `dist` and names that begin with a dot. Rejects with GitError if git fails, since the ignored files are then unknown.
 */
export async function findFiles(root: string): Promise<Found> {
  const known = await fromGit(root);
  if (known === undefined) {
    const { files, directories, cut } = await walk(root, isClutter);
    return { paths: new Set(files), directories, rules: gitsUpTo(root), git: false, cut };
  }
  const skips = (path: string, name: string): boolean => name === '.git' || known.ignored.has(path);
  const { directories, cut } = await walk(root, skips);
  return { paths: known.shown, directories, rules: known.rules, git: true, cut };
}

function isClutter(_path: string, name: string): boolean {
  return name === 'node_modules' || name === 'dist' || name.startsWith('.');
}

interface Known {
  readonly shown: ReadonlySet<string>;
  readonly ignored: ReadonlySet<string>;
  readonly rules: readonly string[];
}

async function fromGit(root: string): Promise<Known | undefined> {
  // Where there is no repository, three starts of git would take longer than the walk.
  if (process.env['GIT_DIR'] === undefined && !gitsUpTo(root).some((path) => existsSync(path)))
    return undefined;
  try {
    const [shown, ignored, rules] = await Promise.all([
      listed(root, ['-co', '--exclude-standard']),
      listed(root, ['-oi', '--exclude-standard', '--directory']),
      ignoreRules(root),
    ]);
    return { shown: new Set(shown), ignored: new Set(ignored.map((path) => path.replace(/\/$/, ''))), rules };
  } catch (error) {
    if (error instanceof GitError && error.absent) return undefined;
    // Git cannot list an ignored folder.
    if (await isIgnored(root))
      throw new GitError(
        `${JSON.stringify(root)} is ignored by git, and so are all of its files`,
        'rejected',
        error,
      );
    throw error;
  }
}

async function isIgnored(root: string): Promise<boolean> {
  return git(root, ['check-ignore', '-q', '.']).then(
    () => true,
    () => false,
  );
}

async function listed(root: string, flags: readonly string[]): Promise<string[]> {
  const { stdout, cut } = await git(root, ['ls-files', '-z', ...flags]);
  if (cut) throw new GitError('too many files for git to list', 'rejected');
  return stdout.split('\0').filter((path) => path !== '' && !path.startsWith('../'));
}

/**
 * The files that say what git ignores, of those in the folder only `.git` itself: the others are in the directory of git, where no
 * look at the folder leads, and above the folder. Rejects with GitError.
 */
async function ignoreRules(root: string): Promise<readonly string[]> {
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
function gitsUpTo(root: string, top?: string): string[] {
  const found = [join(root, '.git')];
  for (let at = root; at !== top && dirname(at) !== at;) {
    at = dirname(at);
    found.push(join(at, '.git'));
  }
  return found;
}

/** What is in a folder, as paths with slashes from its top. */
interface Walked {
  readonly files: readonly string[];
  /** The top is the empty path. */
  readonly directories: readonly string[];
  /** Whether the walk was stopped because there are too many entries. */
  readonly cut: boolean;
}

/** Walks a folder, not through symbolic links, which come among the files. Directories that cannot be read are left out. */
async function walk(root: string, skips: (path: string, name: string) => boolean): Promise<Walked> {
  const files: string[] = [];
  const directories: string[] = [];
  const waiting = [''];
  let seen = 0;
  for (let at = waiting.shift(); at !== undefined && seen <= maxEntries; at = waiting.shift()) {
    const entries = await entriesOf(join(root, at));
    if (entries === undefined) continue;
    directories.push(at);
    for (const entry of entries) {
      const path = at === '' ? entry.name : `${at}/${entry.name}`;
      seen += 1;
      if (skips(path, entry.name)) continue;
      if (entry.isDirectory()) waiting.push(path);
      else if (entry.isFile() || entry.isSymbolicLink()) files.push(path);
    }
  }
  return { files, directories, cut: seen > maxEntries };
}

async function entriesOf(path: string): Promise<Dirent[] | undefined> {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch {
    return undefined;
  }
}
