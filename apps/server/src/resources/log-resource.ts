import { auditTime } from 'rxjs';
import { RxmcpError } from 'rxmcp';
import { type Template, template } from 'rxmcp/resources';
import type { Journal } from '../journal/journal.js';

/** Where the log is read without a timeframe. */
export const logUri = 'logs://recent';

/** The server's recent log, live: `logs://recent`, with `?timeframe=15m` for another span. */
export function logResource(journal: Journal): Template {
  return template(
    'logs://recent{?timeframe}',
    {
      name: 'recent-log',
      title: 'What the server did lately',
      description: `One line per entry; timeframe is a number and s, m, h or d, by default ${defaultTimeframe}.`,
      mimeType: 'text/plain',
      list: [{ uri: logUri, name: 'recent-log' }],
      // The text is made when it is read: a client may watch a thousand timeframes.
      changes({ timeframe }, { principal }) {
        timeframeMs(timeframe);
        return journal.written(principal).pipe(auditTime(settleMs));
      },
    },
    ({ timeframe }, ctx) => journal.text(timeframeMs(timeframe), ctx.caller.principal),
  );
}

// Lines are batched, so that subscribed clients do not get an update for each one.
const settleMs = 50;

/** Used where no timeframe is given. */
export const defaultTimeframe = '1h';

/** Reads a timeframe such as `30s`, `15m`, `1h` or `7d`, in milliseconds. Throws INVALID_PARAMS. */
export function timeframeMs(text: string = defaultTimeframe): number {
  const [, count, unit] = /^([1-9]\d{0,4})([smhd])$/.exec(text) ?? [];
  const unitMs = units.get(unit ?? '');
  if (count === undefined || unitMs === undefined) {
    const message = `timeframe ${JSON.stringify(text.slice(0, 40))} is invalid: write a number and s, m, h or d, such as "15m"`;
    throw new RxmcpError('INVALID_PARAMS', message);
  }
  return Number(count) * unitMs;
}

const units: ReadonlyMap<string, number> = new Map([
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);
