import { execFile } from 'node:child_process';

/** What git said. */
export interface GitOutput {
  readonly stdout: string;
  /** Whether more was said than was wanted. */
  readonly cut: boolean;
}

/** Git failed: no work tree, no commits, no git at all. */
export class GitError extends Error {
  override readonly name = 'GitError';

  constructor(
    message: string,
    /** There is no git to run, the folder is in no work tree, or in that of a foreign repository, or git has another reason. */
    readonly kind: 'no-git' | 'no-work-tree' | 'foreign' | 'rejected',
    cause?: unknown,
  ) {
    super(message, { cause });
  }

  /** Whether git knows nothing of the folder. */
  get absent(): boolean {
    return this.kind !== 'rejected';
  }
}

// A folder can bring settings that name programs to run; none of them is needed to look at it. Filters and what makes diffs have
// names of their own, or no setting that stops them: who needs a diff keeps them out.
const harmless = [
  '--no-pager',
  ...['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'log.showSignature=false'].flatMap((setting) => [
    '-c',
    setting,
  ]),
];

// An object that is missing is not fetched: how to reach another repository is a setting as well.
const quiet = {
  LC_ALL: 'C',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
};

/** Runs git on a folder; never waits for a terminal or network, takes no locks. Rejects with GitError. */
export function git(
  root: string,
  args: readonly string[],
  options: { readonly maxBytes?: number; readonly signal?: AbortSignal } = {},
): Promise<GitOutput> {
  const { maxBytes = 64 * 1_048_576, signal } = options;
  const env = { ...process.env, ...quiet };
  return new Promise((resolve, reject) => {
    execFile(
      'git',
      [...harmless, '-C', root, ...args],
      { env, maxBuffer: maxBytes, encoding: 'utf8', ...(signal === undefined ? {} : { signal }) },
      (error, stdout, stderr) => {
        if (error === null) return resolve({ stdout, cut: false });
        const { code } = error as NodeJS.ErrnoException;
        if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return resolve({ stdout, cut: true });
        const outside = /not a git repository/i.test(stderr);
        const kind = code === 'ENOENT' ? 'no-git' : outside ? 'no-work-tree' : 'rejected';
        const said = stderr.trim().split('\n')[0];
        reject(new GitError(said === undefined || said === '' ? error.message : said, kind, error));
      },
    );
  });
}
