/**
 * Throws a TypeError for a name that users cannot read as it is: one that is empty or has control, bidirectional or
 * zero-width characters.
 * @param what - says in the error what has the name, such as `tool`
 */
export function checkName(what: string, name: unknown): asserts name is string {
  if (typeof name !== 'string' || name === '') throw new TypeError(`a ${what} needs a name`);
  if (unreadable.test(name)) {
    throw new TypeError(
      `the name of ${what} ${quoted(name)} has control, bidirectional or zero-width characters`,
    );
  }
}

/**
 * Formats an untrusted name for a message: in quotes, on one line, at most 100 characters, invisible characters
 * escaped.
 */
export function quoted(name: string): string {
  const short = name.length > 100 ? `${name.slice(0, 100)}…` : name;
  return JSON.stringify(short).replace(everyUnreadable, escaped);
}

/** Formats an untrusted text for a message: on one line, at most `maxChars` characters, invisible characters escaped. */
export function singleLine(sentence: string, maxChars = 1_000): string {
  const short = sentence.length > maxChars ? `${sentence.slice(0, maxChars)}…` : sentence;
  return short.replace(everyUnreadable, escaped);
}

/** Formats an untrusted value for a message: a string as {@link quoted} does, an array or object by its kind. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return String(value);
  return Array.isArray(value) ? 'an array' : 'an object';
}

const unreadable = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|\p{Cs}/u;
const everyUnreadable = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu;

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
