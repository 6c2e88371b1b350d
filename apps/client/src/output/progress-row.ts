import type { Page } from './page.js';

/** The progress of a call. */
export interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

const maxBar = 24;

/** The progress of a call as a row: a bar where the total is known. */
export function progressRow(name: string, progress: Progress, page: Page): string {
  const { progress: done, total } = progress;
  const text = ` ${name}: ${progressText(progress)}`;
  const width = Math.min(maxBar, Math.floor(page.columns / 3));
  if (total === undefined || total <= 0) return page.row(text, page.columns - 1);
  const filled = Math.round(width * Math.min(Math.max(done / total, 0), 1));
  const bar = `[${page.styled('='.repeat(filled), 'green')}${' '.repeat(width - filled)}]`;
  return `${bar}${page.row(text, page.columns - width - 3)}`;
}

/** The progress of a call in words. */
export function progressText({ progress, total, message }: Progress): string {
  const done = total === undefined ? `${progress}` : `${progress} of ${total}`;
  return message === undefined ? done : `${done}, ${message}`;
}
