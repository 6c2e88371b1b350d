/**
 * Refuses a name that people cannot read as it is: empty, or with control, bidirectional or zero-width characters.
 * Throws a TypeError that says where; `what` is such as `tool`.
 */
export function checkName(what: string, name: unknown): asserts name is string {
  if (typeof name !== 'string' || name === '') throw new TypeError(`a ${what} needs a name`);
  if (unreadable.test(name)) {
    throw new TypeError(
      `the name of ${what} ${quoted(name)} has control, bidirectional or zero-width characters`,
    );
  }
}

/** A name that came from anywhere, as it may stand in a message: short, in quotes, one line, nothing invisible. */
export function quoted(name: string): string {
  const short = name.length > 100 ? `${name.slice(0, 100)}…` : name;
  return JSON.stringify(short).replace(everyUnreadable, escaped);
}

/** A sentence that came from anywhere, as it may stand in a message: its beginning, one line, nothing invisible. */
export function singleLine(sentence: string, maxChars = 1_000): string {
  const short = sentence.length > maxChars ? `${sentence.slice(0, maxChars)}…` : sentence;
  return short.replace(everyUnreadable, escaped);
}

/** A value that came from anywhere, as it may stand in a message: a text as {@link quoted} has it, the kind of what is larger. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return String(value);
  return Array.isArray(value) ? 'an array' : 'an object';
}

/** The name that was probably meant: at most two typing errors away. Looks through the first 1,000 only. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  if (name.length > 64) return undefined;
  let best: string | undefined;
  let bestDistance = Math.min(2, Math.floor(name.length / 3)) + 1;
  let looked = 0;
  for (const other of known) {
    if ((looked += 1) > 1_000) break;
    if (Math.abs(other.length - name.length) >= bestDistance) continue;
    const found = distance(name.toLowerCase(), other.toLowerCase());
    if (found < bestDistance) [best, bestDistance] = [other, found];
  }
  return best;
}

const unreadable = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|\p{Cs}/u;
const everyUnreadable = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu;

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
