/**
 * The time that an ISO 8601 text tells, in milliseconds since 1970; undefined for what is none. Calendar dates, with or without a time
 * of day, in both spellings; what has no zone is taken as UTC.
 */
export function timeOf(text: string): number | undefined {
  const found = text.length > 40 ? null : (extended.exec(text) ?? basic.exec(text));
  if (found === null) return undefined;
  const [, year, month = '01', day = '01', hours = '00', minutes = '00', seconds = '00', part = '', zone] =
    found;
  const [y, m, d, h, min, s] = [year, month, day, hours, minutes, seconds].map(Number) as unknown as Numbers;
  // Day 0 of the next month is the last one of this month.
  const days = new Date(Date.UTC(2_000 + (y % 400), m, 0)).getUTCDate();
  if (m < 1 || m > 12 || d < 1 || d > days) return undefined;
  // 24:00 ends a day, and the sixty-first second is one that is put in now and then.
  if (h > 24 || min > 59 || s > 60 || (h === 24 && min + s > 0)) return undefined;
  const offset = offsetOf(zone ?? 'Z');
  if (offset === undefined) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(y, m - 1, d);
  date.setUTCHours(h, min - offset, s, Math.floor(Number(`0.${part === '' ? 0 : part}`) * 1_000));
  return date.getTime();
}

type Numbers = readonly [number, number, number, number, number, number];

const extended =
  /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[Tt](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,12}))?)?([Zz]|[+-]\d{2}(?::?\d{2})?)?)?)?)?$/;
const basic =
  /^(\d{4})(\d{2})(\d{2})(?:[Tt](\d{2})(\d{2})(?:(\d{2})(?:[.,](\d{1,12}))?)?([Zz]|[+-]\d{2}(?::?\d{2})?)?)?$/;

function offsetOf(zone: string): number | undefined {
  if (zone === 'Z' || zone === 'z') return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(-2)) * (zone.length > 3 ? 1 : 0)];
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
