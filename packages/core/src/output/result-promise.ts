import { RxmcpError } from '../base/errors.js';
import { quoted } from '../base/message-text.js';
import { onAbort } from '@rxmcp/transport/internal';
import type { Context } from '../contract/context.js';
import { reportFault, tearDown } from '../contract/faults.js';
import { type LogItem, type ProgressItem, reportKind } from '../contract/report-items.js';
import type { HandlerResult } from '../contract/offer.js';
import { settleResult } from './settle.js';

/**
 * Returns the result of a handler's output as a promise. Tears the output down when its request ends. Reports are
 * sent to the caller. Rejects with NO_RESULT and the text `empty` without a result.
 */
export function resultPromise<T>(output: HandlerResult<T>, ctx: Context, empty: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const { signal } = ctx;
    let stop: (() => void) | undefined = undefined;
    const abort = (): void => {
      over();
      reject(signal.reason as Error);
      // An error thrown in a listener of the signal would end the process.
      if (stop !== undefined)
        tearDown(stop, quoted(ctx.method), { fault: (fault) => reportFault(ctx, fault) });
    };
    // One handler may wait for many outputs at a time.
    const over = onAbort(signal, abort);
    stop = settleResult(output, {
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
        reject(new RxmcpError('NO_RESULT', empty));
      },
      report: (item) => report(item, ctx),
    });
    if (signal.aborted) abort();
  });
}

function report(item: ProgressItem | LogItem, ctx: Context): void {
  if (reportKind(item) === 'progress') {
    const { progress, total, message } = item as ProgressItem;
    ctx.progress(progress, total, message);
  } else {
    const { level, data, logger } = item as LogItem;
    ctx.log(level, data, logger);
  }
}
