import { realpath, stat } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { defer, finalize, fromEventPattern, type Observable, ReplaySubject, share, Subject } from 'rxjs';
import { folderUri } from './folder-uri.js';
import { FolderFollower } from './follow-folder.js';
import { type FileEntry, scanFolder, type Snapshot } from './scan.js';

/** Options of {@link openFolder}. */
export interface FolderOptions {
  /** Files beyond it are only counted. @default 5_000 */
  readonly maxFiles?: number;
  /** Receives warnings about failed watches. */
  readonly warn?: (message: string) => void;
}

/** A folder of files that are shown. */
export interface Folder {
  /** The real path. */
  readonly root: string;
  /** Ends with a slash. */
  readonly uri: string;
  readonly maxFiles: number;
  /** The files as they are now; watches the disk while it has subscribers. @stream state */
  readonly files$: Observable<Snapshot>;
  /** The files as they are now. Looks at the disk, unless it is being watched and nothing changed. */
  latest(): Promise<Snapshot>;
  /** A file by its path, as it is now. One that is not known is looked for on the disk. */
  find(path: string): Promise<FileEntry | undefined>;
  /** Emits whenever the file, or a file directly in the directory, came, went or changed, while `files$` is followed. @stream event */
  changes(path: string): Observable<void>;
}

/** Opens a folder; looking at it rejects with GitError where git is there and does not say what it ignores. Rejects where there is no folder. */
export async function openFolder(path: string, options: FolderOptions = {}): Promise<Folder> {
  const { maxFiles = 5_000, warn = () => undefined } = options;
  const root = await realpath(path);
  if (!(await stat(root)).isDirectory()) throw new TypeError(`"${path}" is not a directory`);
  const followed = new Map<string, Subject<void>>();
  let follower: FolderFollower | undefined;
  let current: Snapshot | undefined;
  const scan = afresh(() => scanFolder(root, maxFiles));

  const files$ = fromEventPattern<Snapshot>(
    (emit) =>
      (follower = new FolderFollower({
        root,
        // Not the look that is under way: it may have begun before the change.
        scan: () => scanFolder(root, maxFiles),
        warn,
        seen(snapshot, changed) {
          current = snapshot;
          emit(snapshot);
          for (const key of withParents(changed)) followed.get(key)?.next();
        },
      })),
    (_emit, started: FolderFollower) => {
      started.close();
      follower = undefined;
      current = undefined;
    },
  ).pipe(share({ connector: () => new ReplaySubject(1), resetOnRefCountZero: true }));

  /** The current files as the watches know them; undefined without watches, or while a change was not read yet. */
  const watched = async (): Promise<Snapshot | undefined> => {
    if (follower?.stale === false) await watchesDelivered();
    return follower?.stale === false ? current : undefined;
  };

  return {
    root,
    uri: folderUri(root),
    maxFiles,
    files$,
    latest: async () => (await watched()) ?? scan(),
    find: async (wanted) => (await watched())?.files.get(wanted) ?? (await scan()).files.get(wanted),
    changes: (key) =>
      defer(() => {
        const subject = followed.get(key) ?? new Subject<void>();
        followed.set(key, subject);
        return subject.pipe(
          finalize(() => {
            if (!subject.observed) followed.delete(key);
          }),
        );
      }),
  };
}

/** Runs the work once at a time. Who asks while it is under way waits for the next run, since this one may be behind him. */
function afresh<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  return () => {
    next ??= running.then(() => {
      const run = work();
      next = undefined;
      running = run.catch(() => undefined);
      return run;
    });
    return next;
  };
}

/** Resolves when the watches have reported all changes up to now: that takes a whole turn of the event loop. */
async function watchesDelivered(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

/** A directory's value are its direct files, so it changes with them. */
function withParents(paths: ReadonlySet<string>): ReadonlySet<string> {
  const parents = [...paths].map((path) => path.slice(0, Math.max(0, path.lastIndexOf('/'))));
  return new Set([...paths, ...parents]);
}
