/**
 * What a server wrote must not steer a terminal: control characters, further ends of lines, and what turns the direction of text,
 * are shown.
 */
export function printable(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(/[^\P{Cc}\n\t]|[\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, escaped);
}

const mark = '  | ';

/**
 * What others wrote, to be shown whole: each line behind a mark that no line of the client's own has, so that none passes for one.
 * Blank lines in a row are told by their number: they would push out of sight what stands before them.
 */
export function quoted(text: string): string {
  const lines = /((?:[^\S\n]*\n){2,})|([^\n]*)\n/g;
  return `${text}\n`
    .replace(lines, (_all, blank: string | undefined, line: string) =>
      blank === undefined ? `${mark}${line}\n` : `  (${blank.split('\n').length - 1} blank lines)\n`,
    )
    .slice(0, -1);
}

/** What others wrote, as part of a line: ends of lines and other gaps are one blank each. */
export function inline(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/**
 * Text as rows of a terminal. What does not fit goes on behind the mark: a terminal would begin the next row with any words. A
 * line without a blank, such as an address, stays whole and can be copied.
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

/** At least as many columns as a terminal takes: what is broken too early still stands behind the mark. */
function widthOf(character: string): number {
  if (character === '\t') return 8;
  return character < '\u1100' ? 1 : 2;
}

const maxChars = 2_048;

/**
 * One line of what is said beside the output, at most 2,048 characters long: what a server wrote must not look like a line
 * of its own either.
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
