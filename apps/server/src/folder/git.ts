import { execFile } from 'node:child_process';

/** What git said. */
export interface GitOutput {
  readonly stdout: string;
  /** Whether more was said than was wanted. */
  readonly cut: boolean;
}

/** Git refused: no work tree, no commits, no git at all. */
export class GitError extends Error {
  override readonly name = 'GitError';

  constructor(
    message: string,
    /** There is no git to run, the folder is in no work tree, or git has another reason. */
    readonly kind: 'no-git' | 'no-work-tree' | 'refused',
    cause?: unknown,
  ) {
    super(message, { cause });
  }

  /** Whether git knows nothing of the folder. */
  get absent(): boolean {
    return this.kind !== 'refused';
  }
}

// A folder can bring settings that name programs to run; none of them is needed to look at it.
const harmless = ['--no-pager', '-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];

/** Runs git on a folder; never waits for a terminal, takes no locks. Rejects with GitError. */
export function git(
  root: string,
  args: readonly string[],
  options: { readonly maxBytes?: number; readonly signal?: AbortSignal } = {},
): Promise<GitOutput> {
  const { maxBytes = 64 * 1_048_576, signal } = options;
  const env = { ...process.env, LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0' };
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
        const kind = code === 'ENOENT' ? 'no-git' : outside ? 'no-work-tree' : 'refused';
        const said = stderr.trim().split('\n')[0];
        reject(new GitError(said === undefined || said === '' ? error.message : said, kind, error));
      },
    );
  });
}
