import type { ValidationRun } from '../compile/validation-run.js';

/** Returns a text that is the same for equal JSON, whatever the order of members. Charges its length to `run`, if there is one. */
export function canonical(value: unknown, run?: ValidationRun): string {
  if (typeof value === 'string') return quoted(value, run);
  if (typeof value !== 'object' || value === null) {
    run?.spend(1);
    // No JSON, and so equal to none.
    if (typeof value === 'bigint') return `${value}n`;
    return String(JSON.stringify(value === 0 ? 0 : value));
  }
  run?.spend(4);
  if (Array.isArray(value))
    return joined(
      '[',
      value.map((item) => canonical(item, run)),
      ']',
      run,
    );
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  run?.spend(2 * members.length);
  const texts = members
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${quoted(key, run)}:${canonical(member, run)}`);
  return joined('{', texts, '}', run);
}

function quoted(text: string, run: ValidationRun | undefined): string {
  run?.spend(1 + (text.length >> 5));
  return JSON.stringify(text);
}

// Each level copies the text of those in it.
function joined(
  open: string,
  texts: readonly string[],
  close: string,
  run: ValidationRun | undefined,
): string {
  const text = `${open}${texts.join(',')}${close}`;
  run?.spend(text.length >> 8);
  return text;
}
