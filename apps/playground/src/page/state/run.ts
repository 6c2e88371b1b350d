import { catchError, concat, map, type Observable, of, scan, takeUntil } from 'rxjs';
import type { CallEvent } from 'rxmcp';
import type { Output } from './catalog.js';

/** A use of an item, from its start to its end. */
export interface Run {
  readonly state: 'running' | 'done' | 'failed' | 'cancelled';
  readonly progress?: Extract<CallEvent<Output>, { type: 'progress' }>;
  /** The last 50 log records. */
  readonly logs: readonly Extract<CallEvent<Output>, { type: 'log' }>[];
  readonly output?: Output;
  readonly error?: unknown;
}

const maxLogs = 50;

/** Follows a use of an item. When `cancel$` emits, the use is unsubscribed, which cancels it at the server. */
export function runOf(events$: Observable<CallEvent<Output>>, cancel$: Observable<unknown>): Observable<Run> {
  type Step = (run: Run) => Run;
  const steps$: Observable<Step> = concat(
    events$.pipe(
      map(
        (event): Step =>
          (run) =>
            added(run, event),
      ),
    ),
    of<Step>((run) => ({ ...run, state: 'done' })),
  ).pipe(catchError((error: unknown) => of<Step>((run) => ({ ...run, state: 'failed', error }))));
  const cancelled: Step = (run) => (run.state === 'running' ? { ...run, state: 'cancelled' } : run);
  return concat(
    of<Step>((run) => run),
    steps$.pipe(takeUntil(cancel$)),
    of(cancelled),
  ).pipe(scan((run, step) => step(run), { state: 'running', logs: [] } as Run));
}

function added(run: Run, event: CallEvent<Output>): Run {
  switch (event.type) {
    case 'progress':
      return { ...run, progress: event };
    case 'log':
      return { ...run, logs: [...run.logs, event].slice(-maxLogs) };
    case 'result':
      return { ...run, output: event.result };
  }
}
