import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';

/** Watches a changing set of directories, each by itself: a recursive watch would go through everything that is skipped. */
export class DirectoryWatch {
  private readonly watchers = new Map<string, FSWatcher>();
  private refused = 0;

  /** `touched` is called with the path, from the top, of what changed. */
  constructor(
    private readonly root: string,
    private readonly touched: (path: string) => void,
    private readonly warn: (message: string) => void,
  ) {}

  /** Watches these directories and no others. Tells whether one came that was not watched before. */
  set(directories: readonly string[]): boolean {
    const wanted = new Set(directories.slice(0, maxDirectories));
    for (const path of [...this.watchers.keys()]) if (!wanted.has(path)) this.drop(path);
    let came = false;
    let refused = directories.length - wanted.size;
    for (const path of wanted) {
      if (this.watchers.has(path)) continue;
      if (this.add(path)) came = true;
      else refused += 1;
    }
    if (refused > this.refused)
      this.warn(`${refused} directories are not watched, the system has no room for more`);
    this.refused = refused;
    return came;
  }

  close(): void {
    for (const path of [...this.watchers.keys()]) this.drop(path);
  }

  private add(path: string): boolean {
    try {
      const watcher = watch(join(this.root, path), { persistent: false }, (_event, name) => {
        // A directory that is replaced by one of the same name has to be watched anew.
        if (name !== null) this.drop(path === '' ? name : `${path}/${name}`);
        this.touched(name === null ? path : path === '' ? name : `${path}/${name}`);
      });
      watcher.on('error', () => {
        this.drop(path);
        this.touched(path);
      });
      this.watchers.set(path, watcher);
      return true;
    } catch (error) {
      // One that went away meanwhile is nobody's trouble.
      return (error as NodeJS.ErrnoException).code === 'ENOENT';
    }
  }

  private drop(path: string): void {
    this.watchers.get(path)?.close();
    this.watchers.delete(path);
  }
}

const maxDirectories = 4_096;
