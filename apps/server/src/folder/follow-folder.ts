import { DirectoryWatch } from './watch-directories.js';
import type { Snapshot } from './scan.js';

/** What a {@link FolderFollower} needs and tells. */
export interface Following {
  readonly root: string;
  scan(): Promise<Snapshot>;
  /** A new snapshot, and the paths of files that came, went or changed since the last one. */
  seen(snapshot: Snapshot, changed: ReadonlySet<string>): void;
  warn(message: string): void;
}

/** Keeps a snapshot of a folder current: many changes within a moment make one look. */
export class FolderFollower {
  private readonly watch: DirectoryWatch;
  private touched = new Set<string>();
  private timer: ReturnType<typeof setTimeout> | undefined = undefined;
  private looking = false;
  private closed = false;
  private last: Snapshot | undefined = undefined;

  constructor(private readonly following: Following) {
    this.watch = new DirectoryWatch(following.root, (path) => this.touch(path), following.warn);
    void this.look();
  }

  /** Whether something changed that was not looked at yet. */
  get stale(): boolean {
    return this.looking || this.timer !== undefined;
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    this.watch.close();
  }

  private touch(path: string): void {
    this.touched.add(path);
    this.plan();
  }

  private plan(): void {
    if (this.closed || this.looking || this.timer !== undefined) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      void this.look();
    }, settleMs).unref();
  }

  private async look(): Promise<void> {
    this.looking = true;
    const touched = this.touched;
    this.touched = new Set();
    try {
      let snapshot = await this.following.scan();
      // What appeared in a directory before it was watched is found by looking again.
      for (let again = 0; again < 8 && !this.closed && this.watch.set(snapshot.directories); again += 1) {
        snapshot = await this.following.scan();
      }
      if (this.closed) return;
      const changed = changesBetween(this.last, snapshot, touched);
      this.last = snapshot;
      this.following.seen(snapshot, changed);
    } catch (error) {
      this.following.warn(
        `the folder cannot be looked at: ${error instanceof Error ? error.message : String(error)}`,
      );
    } finally {
      this.looking = false;
      if (this.touched.size > 0) this.plan();
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
