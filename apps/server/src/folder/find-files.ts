import { git, GitError } from './git.js';
import { gitsUpTo, ignoreRules } from './ignore-rules.js';
import { walk } from './walk.js';

/** The files of a folder that may be shown, and the directories that they can appear in. */
export interface Found {
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
 * Finds what may be shown of a folder: in a git work tree all that is not ignored, elsewhere all but `node_modules`, `dist`
 * and what begins with a dot. Rejects with GitError where git is there and fails, for then nobody knows what is ignored.
 */
export async function findFiles(root: string): Promise<Found> {
  const known = await fromGit(root);
  if (known === undefined) {
    const { files, directories, cut } = await walk(root, isClutter, maxEntries);
    return { paths: new Set(files), directories, rules: gitsUpTo(root), git: false, cut };
  }
  const skips = (path: string, name: string): boolean => name === '.git' || known.ignored.has(path);
  const { directories, cut } = await walk(root, skips, maxEntries);
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
  try {
    const [shown, ignored, rules] = await Promise.all([
      listed(root, ['-co', '--exclude-standard']),
      listed(root, ['-oi', '--exclude-standard', '--directory']),
      ignoreRules(root),
    ]);
    return { shown: new Set(shown), ignored: new Set(ignored.map((path) => path.replace(/\/$/, ''))), rules };
  } catch (error) {
    if (error instanceof GitError && error.absent) return undefined;
    throw error;
  }
}

async function listed(root: string, flags: readonly string[]): Promise<string[]> {
  const { stdout, cut } = await git(root, ['ls-files', '-z', ...flags]);
  if (cut) throw new GitError('too many files for git to list', 'refused');
  return stdout.split('\0').filter((path) => path !== '' && !path.startsWith('../'));
}
