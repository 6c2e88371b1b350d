import type { Context, LogItem, Output, ProgressItem } from '@rxmcp/core';
import { McpError } from '@rxmcp/core';
import { itemKind, settle } from '@rxmcp/core/internal';

/** The result of a handler's output as a promise; torn down when the request it serves ends. */
export function resultOf<T>(output: Output<T>, ctx: Context): Promise<T> {
  return new Promise((resolve, reject) => {
    const { signal } = ctx;
    let stop: (() => void) | undefined = undefined;
    const abort = (): void => {
      stop?.();
      reject(signal.reason as Error);
    };
    const over = (): void => signal.removeEventListener('abort', abort);
    signal.addEventListener('abort', abort, { once: true });
    stop = settle(output, {
      done(value) {
        over();
        resolve(value);
      },
      failed(error) {
        over();
        reject(error as Error);
      },
      empty() {
        over();
        reject(new McpError('HANDLER_EMPTY', 'the form ended without an answer'));
      },
      report: (item) => report(item, ctx),
    });
    if (signal.aborted) abort();
  });
}

function report(item: ProgressItem | LogItem, ctx: Context): void {
  if (itemKind(item) === 'progress') {
    const { progress, total, message } = item as ProgressItem;
    ctx.progress(progress, total, message);
  } else {
    const { level, data, logger } = item as LogItem;
    ctx.log(level, data, logger);
  }
}
