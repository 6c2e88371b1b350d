import { finalize, ignoreElements, merge, type Observable, tap } from 'rxjs';
import type { Program } from '../command.js';
import { LiveTable } from './live-table.js';

/** Something that changes, as a row of a table. */
export interface WatchedRow {
  readonly name: string;
  readonly values$: Observable<WatchedValue>;
}

/** One value of a {@link WatchedRow}. */
export interface WatchedValue {
  /** The last cell. */
  readonly text: string;
  /** Rows below the table. */
  readonly below?: readonly string[];
}

/**
 * Shows the latest value of each row, how often it has changed, and when. The table stays on the screen when all have ended, or are unsubscribed from.
 */
export function watchedTable(rows: readonly WatchedRow[], { terminal, output }: Program): Observable<never> {
  const table = new LiveTable(terminal.live, output.page, ['name', 'changes', 'at', 'value']);
  const changes = rows.map(({ name, values$ }, at) => {
    let count = -1;
    return values$.pipe(
      tap(({ text, below }) => {
        count += 1;
        table.set(`${at}`, [name, `${count}`, new Date().toTimeString().slice(0, 8), text], below);
      }),
    );
  });
  return merge(...changes).pipe(
    ignoreElements(),
    finalize(() => table.end()),
  );
}
