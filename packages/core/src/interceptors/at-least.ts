/** Checks an option. Throws a TypeError naming what is no number of at least `least`; Infinity is one. */
export function atLeast(least: number, name: string, value: number): number {
  if (typeof value === 'number' && value >= least) return value;
  throw new TypeError(`${name} must be a number of at least ${least}, not ${String(value)}`);
}
