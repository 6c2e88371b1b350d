/**
 * Escapes control characters, unusual line breaks and bidirectional controls, so that text of a server cannot control the
 * terminal.
 */
export function printable(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(/[^\P{Cc}\n\t]|[\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, escaped);
}

const mark = '  | ';

/**
 * Quotes text of a server: each line gets a mark that no line of the client itself has, so that the text cannot imitate one.
 * Consecutive blank lines are shown as their number: they could push earlier lines out of sight.
 */
export function quoted(text: string): string {
  const lines = /((?:[^\S\n]*\n){2,})|([^\n]*)\n/g;
  return `${text}\n`
    .replace(lines, (_all, blank: string | undefined, line: string) =>
      blank === undefined ? `${mark}${line}\n` : `  (${blank.split('\n').length - 1} blank lines)\n`,
    )
    .slice(0, -1);
}

/** Text of a server as part of a line: each run of white space becomes one space. */
export function inline(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/**
 * Breaks text into rows of a terminal. Each continuation row starts with the mark: a terminal would start it with any text. A
 * line without a space, such as a URL, stays whole and can be copied.
 */
export function rows(text: string, columns: number): string {
  return text
    .split('\n')
    .map((line) => (/^[!-~]*$/.test(line) ? line : broken(line, columns)))
    .join('\n');
}

function broken(line: string, columns: number): string {
  let [text, used] = ['', 0];
  for (const character of line) {
    const width = widthOf(character);
    if (used + width > columns) [text, used] = [`${text}\n${mark}`, mark.length];
    text += character;
    used += width;
  }
  return text;
}

/** An upper bound of the columns of a character: a row that is broken too early still has the mark. */
function widthOf(character: string): number {
  if (character === '\t') return 8;
  return character < '\u1100' ? 1 : 2;
}

const maxChars = 2_048;

/**
 * Makes one line for standard error, at most 2,048 characters long, so that text of a server cannot imitate another
 * line.
 */
export function oneLine(text: string): string {
  const line = text.slice(0, maxChars + 1).replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, escaped);
  return line.length > maxChars ? `${line.slice(0, maxChars - 1)}…` : line;
}

/** JSON on one line, with the same characters as escapes; it means the same. */
export function jsonLine(value: unknown): string {
  return `${JSON.stringify(value ?? null).replace(/[\u007f-\u009f\u2028\u2029]|\p{Bidi_Control}/gu, escaped)}\n`;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
