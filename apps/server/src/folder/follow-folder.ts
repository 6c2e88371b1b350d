import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Snapshot } from './scan.js';

/** What a {@link FolderFollower} needs and calls. */
interface Following {
  readonly root: string;
  scan(): Promise<Snapshot>;
  /** A new snapshot, and the paths of files that came, went or changed since the last one. */
  seen(snapshot: Snapshot, changed: ReadonlySet<string>): void;
  warn(message: string): void;
}

/** Keeps a snapshot of a folder current: many changes within a moment make one look. */
export class FolderFollower {
  readonly #watch: DirectoryWatch;
  readonly #ruleWatch: DirectoryWatch;
  #rules: ReadonlySet<string> = new Set();
  #touched = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined = undefined;
  #looking = false;
  #failed = false;
  #closed = false;
  #last: Snapshot | undefined = undefined;

  constructor(private readonly following: Following) {
    const { root, warn } = following;
    this.#watch = new DirectoryWatch(root, (path) => this.#touch(path), warn);
    // Git replaces its files, so that only their directories can be watched; changes of other files there are ignored.
    const ruled = (path: string): void => {
      if (!this.#rules.has(resolve(path))) return;
      // Another repository has other directories of the same names.
      if (basename(path) === '.git') this.#ruleWatch.close();
      this.#touch(path);
    };
    this.#ruleWatch = new DirectoryWatch('', ruled, warn);
    void this.#look();
  }

  /** Whether something changed that was not looked at yet, or could not be. */
  get stale(): boolean {
    return this.#looking || this.#failed || this.#timer !== undefined;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#watch.close();
    this.#ruleWatch.close();
  }

  #touch(path: string): void {
    this.#touched.add(path);
    this.#plan();
  }

  #plan(): void {
    if (this.#closed || this.#looking || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#look();
    }, settleMs).unref();
  }

  /** Returns whether a directory was added. */
  #follow({ directories, rules }: Snapshot): boolean {
    this.#rules = new Set(rules);
    const came = this.#ruleWatch.set([...new Set(rules.map((path) => dirname(path)))]);
    return this.#watch.set(directories) || came;
  }

  async #look(): Promise<void> {
    this.#looking = true;
    const touched = this.#touched;
    this.#touched = new Set();
    try {
      let snapshot = await this.following.scan();
      // What appeared in a directory before it was watched is found by looking again.
      for (let again = 0; again < 8 && !this.#closed && this.#follow(snapshot); again += 1) {
        snapshot = await this.following.scan();
      }
      if (this.#closed) return;
      this.#failed = false;
      const changed = changesBetween(this.#last, snapshot, touched);
      this.#last = snapshot;
      this.following.seen(snapshot, changed);
    } catch (error) {
      this.#failed = true;
      this.following.warn(
        `the folder cannot be looked at: ${error instanceof Error ? error.message : String(error)}`,
      );
    } finally {
      this.#looking = false;
      if (this.#touched.size > 0) this.#plan();
    }
  }
}

const settleMs = 80;

function changesBetween(
  before: Snapshot | undefined,
  now: Snapshot,
  touched: ReadonlySet<string>,
): ReadonlySet<string> {
  if (before === undefined) return new Set();
  const changed = new Set<string>();
  for (const [path, entry] of now.files) {
    // The clock of a file system may be too coarse to tell two writes apart, so being touched is enough.
    if (before.files.get(path)?.stamp !== entry.stamp || touched.has(entry.real)) changed.add(path);
  }
  for (const path of before.files.keys()) if (!now.files.has(path)) changed.add(path);
  return changed;
}

/** Watches a changing set of directories, each with its own watch: a recursive one would include all that is skipped. */
class DirectoryWatch {
  readonly #watchers = new Map<string, FSWatcher>();
  #rejected = 0;

  /** `touched` is called with the path, from the top, of what changed. */
  constructor(
    private readonly root: string,
    private readonly touched: (path: string) => void,
    private readonly warn: (message: string) => void,
  ) {}

  /** Watches these directories and no others. Returns whether one was added. */
  set(directories: readonly string[]): boolean {
    const wanted = new Set(directories.slice(0, maxDirectories));
    for (const path of [...this.#watchers.keys()]) if (!wanted.has(path)) this.#drop(path);
    let came = false;
    let rejected = directories.length - wanted.size;
    for (const path of wanted) {
      if (this.#watchers.has(path)) continue;
      if (this.#add(path)) came = true;
      else rejected += 1;
    }
    if (rejected > this.#rejected)
      this.warn(`${rejected} directories are not watched, the system has no room for more`);
    this.#rejected = rejected;
    return came;
  }

  close(): void {
    for (const path of [...this.#watchers.keys()]) this.#drop(path);
  }

  #add(path: string): boolean {
    try {
      const watcher = watch(join(this.root, path), { persistent: false }, (_event, name) => {
        // A directory that is replaced by one of the same name must be watched anew.
        if (name !== null) this.#drop(path === '' ? name : `${path}/${name}`);
        this.touched(name === null ? path : path === '' ? name : `${path}/${name}`);
      });
      watcher.on('error', () => {
        this.#drop(path);
        this.touched(path);
      });
      this.#watchers.set(path, watcher);
      return true;
    } catch (error) {
      // A directory that was removed meanwhile is not an error.
      return (error as NodeJS.ErrnoException).code === 'ENOENT';
    }
  }

  #drop(path: string): void {
    this.#watchers.get(path)?.close();
    this.#watchers.delete(path);
  }
}

const maxDirectories = 4_096;
