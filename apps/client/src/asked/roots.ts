import { realpathSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { delay, fromEvent, lastValueFrom, of, race, ReplaySubject, take, timer } from 'rxjs';
import type { Offer } from 'rxmcp';
import { offerRoots, type Root } from 'rxmcp/roots';
import { reachableRoots } from 'rxmcp/roots/node';
import { UsageError } from '@rxmcp/app-serving/usage-error';

/** Folders that are offered as roots. */
export interface FolderRoots {
  readonly offer: Offer;
  /** Resolves when the server has asked for them, at most one second later. */
  asked(signal: AbortSignal): Promise<void>;
}

/** How long a server of a session may take to ask for the roots: some ask when the session starts, others only when they need them. */
const askedWithinMs = 1_000;

/** Offers folders as roots; a removed folder is withdrawn until it exists again. Throws a UsageError for anything but a folder. */
export function folderRoots(folders: readonly string[]): FolderRoots {
  const requests$ = new ReplaySubject<void>(1);
  const roots = [...new Map(folders.map(rootOf).map((root) => [root.uri, root])).values()];
  const approve = (): boolean => {
    requests$.next();
    return true;
  };
  return {
    offer: offerRoots(reachableRoots(roots), { approve }),
    async asked(signal) {
      const ended$ = signal.aborted ? of(signal) : fromEvent(signal, 'abort');
      // In the next turn the response has been sent.
      const answered$ = requests$.pipe(take(1), delay(0));
      await lastValueFrom(race(answered$, timer(askedWithinMs), ended$).pipe(take(1)), {
        defaultValue: undefined,
      });
    },
  };
}

function rootOf(folder: string): Root {
  let path: string;
  try {
    path = realpathSync(folder);
    if (/\p{Cc}/u.test(path)) throw new UsageError(`--root ${folder}: its path has control characters`);
    if (!statSync(path).isDirectory()) throw new UsageError(`--root ${folder}: not a folder`);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`--root ${folder}: ${(error as NodeJS.ErrnoException).code ?? String(error)}`);
  }
  return { uri: pathToFileURL(path).href, name: basename(path) };
}
