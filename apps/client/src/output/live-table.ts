import { finalize, ignoreElements, merge, type Observable, tap } from 'rxjs';
import type { Program } from '../command.js';
import type { LiveRows } from './live-rows.js';
import type { Page } from './page.js';

const gap = 2;

/** A table at a terminal whose rows change. The first column and the last one share what the others leave. */
export class LiveTable {
  readonly #rows = new Map<string, readonly string[]>();
  #below: readonly string[] = [];

  constructor(
    private readonly live: LiveRows,
    private readonly page: Page,
    private readonly header: readonly string[],
  ) {}

  /** Adds a row, or replaces the one with the same key. Cells may be text of a server. */
  set(key: string, cells: readonly string[], below: readonly string[] = []): void {
    this.#rows.set(key, cells);
    this.#below = below;
    this.live.set(tableKey, this.#composed());
  }

  /** Leaves the table on the screen. */
  end(): void {
    this.live.leave(tableKey);
  }

  #composed(): readonly string[] {
    const { page, header } = this;
    const all = [header, ...this.#rows.values()];
    const widths = widthsOf(all, page.columns - 1);
    const composed = all.map((cells) =>
      cells.map((cell, at) => {
        const width = widths[at] as number;
        const text = at === 0 ? page.name(cell, width) : page.row(cell, width);
        return at === header.length - 1 ? text : page.padded(text, width + gap);
      }),
    );
    const [first = [], ...others] = composed.map((cells) => cells.join(''));
    return [page.styled(first as string, 'bold'), ...(others as string[]), ...this.#below];
  }
}

const tableKey = 'table';

function widthsOf(rows: readonly (readonly string[])[], columns: number): readonly number[] {
  const [header = []] = rows;
  const most = Math.floor((columns - gap * (header.length - 1)) / header.length);
  const natural = header.map((_, at) => Math.max(...rows.map((cells) => (cells[at] ?? '').length)));
  const inner = natural.slice(1, -1).map((width) => Math.min(width, most));
  const left = columns - inner.reduce((sum, width) => sum + width + gap, gap);
  const first = Math.min(natural[0] ?? 0, Math.max(Math.floor(left / 2), 1));
  return [first, ...inner, Math.max(left - first, 1)];
}

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
