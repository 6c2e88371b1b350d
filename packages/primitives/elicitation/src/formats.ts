import type { StringField } from './types.js';

type Format = NonNullable<StringField['format']>;

/** What keeps a text from being of a format, or undefined. All checks take linear time. */
export function formatProblem(format: Format, value: string): string | undefined {
  switch (format) {
    case 'email':
      return value.length <= 254 && /^[^\s@]+@[^\s@]+$/u.test(value)
        ? undefined
        : 'must be an e-mail address';
    case 'uri':
      return /^[a-z][a-z0-9+.-]*:/i.test(value) && URL.canParse(value) ? undefined : 'must be a uri';
    case 'date':
      return isDate(value) ? undefined : 'must be a date such as 2026-07-28';
    case 'date-time':
      return isDateTime(value) ? undefined : 'must be a time such as 2026-07-28T12:00:00Z';
  }
}

function isDate(value: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  const date = new Date(0);
  // setUTCFullYear takes years below 100 as they are, and rolls over what no calendar has.
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

function isDateTime(value: string): boolean {
  const [, date, hour, minute, second] =
    /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i.exec(
      value,
    ) ?? [];
  if (date === undefined || !isDate(date)) return false;
  // A leap second is a time as well (RFC 3339).
  return Number(hour) <= 23 && Number(minute) <= 59 && Number(second) <= 60;
}
