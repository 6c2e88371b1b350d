import { McpError } from 'rxmcp';

/** Used where no timeframe is given. */
export const defaultTimeframe = '1h';

/** Reads a timeframe such as `30s`, `15m`, `1h` or `7d`, in milliseconds. Throws PARAMS_INVALID. */
export function timeframeMs(text: string = defaultTimeframe): number {
  const [, count, unit] = /^([1-9]\d{0,4})([smhd])$/.exec(text) ?? [];
  const unitMs = units.get(unit ?? '');
  if (count === undefined || unitMs === undefined) {
    const message = `timeframe ${JSON.stringify(text.slice(0, 40))} is none: write a number and s, m, h or d, such as "15m"`;
    throw new McpError('PARAMS_INVALID', message);
  }
  return Number(count) * unitMs;
}

const units: ReadonlyMap<string, number> = new Map([
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);
