import { template, type Template } from 'rxmcp/resources';
import { auditTime, map, merge, of } from 'rxjs';
import type { Journal } from '../journal/journal.js';
import { defaultTimeframe, timeframeMs } from '../journal/timeframe.js';

/** Where the log is read without a timeframe. */
export const logUri = 'logs://recent';

/** What the server did lately for whoever reads it, live: `logs://recent`, with `?timeframe=15m` for another span. */
export function logResource(journal: Journal): Template {
  return template(
    'logs://recent{?timeframe}',
    {
      name: 'recent-log',
      title: 'What the server did lately',
      description: `One line per entry; timeframe is a number and s, m, h or d, by default ${defaultTimeframe}.`,
      mimeType: 'text/plain',
      list: [{ uri: logUri, name: 'recent-log' }],
    },
    ({ timeframe }, ctx) => {
      const withinMs = timeframeMs(timeframe);
      const { principal } = ctx.caller;
      const written = journal.written(principal).pipe(auditTime(settleMs));
      return merge(of(undefined), written).pipe(map(() => journal.text(withinMs, principal)));
    },
  );
}

// A reading client must not hear of each line by itself.
const settleMs = 50;
