import type { Run } from './run.js';

/** Text that is the same for equal JSON, whatever the order of members. Pays for its length where a run is told. */
export function canonical(value: unknown, run?: Run): string {
  if (typeof value !== 'object' || value === null) {
    const text = String(JSON.stringify(value === 0 ? 0 : value));
    run?.spend(1 + (text.length >> 6));
    return text;
  }
  run?.spend(4);
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, run)).join(',')}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  run?.spend(2 * members.length);
  return `{${members
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonical(member, run)}`)
    .join(',')}}`;
}
