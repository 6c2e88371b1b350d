import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { clampTimeout, rejectUnknownOptions } from '@rxmcp/core/internal';
import type { Observable } from 'rxjs';
import {
  distinctUntilChanged,
  exhaustMap,
  isObservable,
  of,
  ReplaySubject,
  share,
  switchMap,
  timer,
} from 'rxjs';
import type { Root } from './root.js';

/** Options of {@link reachableRoots}. */
export interface ReachableRootsOptions {
  /** How often the folders are checked, in milliseconds. @default 5_000 */
  readonly checkIntervalMs?: number;
}

const knownOptions: Record<keyof ReachableRootsOptions, true> = {
  checkIntervalMs: true,
};

/**
 * Emits the roots whose folders exist; pass it to `offerRoots` to notify servers of a folder that was removed or restored.
 * Roots with a scheme other than `file:` always stay. All subscribers share one check.
 * @stream state
 */
export function reachableRoots(
  roots: readonly Root[] | Observable<readonly Root[]>,
  options: ReachableRootsOptions = {},
): Observable<readonly Root[]> {
  rejectUnknownOptions('reachableRoots', options, knownOptions, { checkMs: 'checkIntervalMs' });
  const { checkIntervalMs = 5_000 } = options;
  return (isObservable(roots) ? roots : of(roots)).pipe(
    switchMap((list) => timer(0, clampTimeout(checkIntervalMs)).pipe(exhaustMap(() => reachable(list)))),
    distinctUntilChanged(
      (before, now) => before.length === now.length && before.every((root, at) => root === now[at]),
    ),
    share({ connector: () => new ReplaySubject(1), resetOnRefCountZero: () => timer(0) }),
  );
}

async function reachable(roots: readonly Root[]): Promise<readonly Root[]> {
  const there = await Promise.all(roots.map(isThere));
  return roots.filter((_root, at) => there[at]);
}

async function isThere({ uri }: Root): Promise<boolean> {
  if (!/^file:/i.test(uri)) return true;
  try {
    await stat(fileURLToPath(uri));
    return true;
  } catch {
    return false;
  }
}
