// Line separators, and what no terminal shows: controls of direction, tags, selectors of variants. What joins letters or selects the form of an emoji
// stays.
const unseen = String.raw`[\p{Zl}\p{Zp}\ufff9-\ufffb]|(?!\u200c|\u200d|\ufe0e|\ufe0f)\p{Default_Ignorable_Code_Point}`;
const unsafe = new RegExp(String.raw`[^\P{Cc}\n\t]|${unseen}`, 'gu');
const unsafeInLine = new RegExp(String.raw`\p{Cc}|${unseen}`, 'gu');
/** What {@link printable} escapes and JSON does not. */
export const unsafeInJson = new RegExp(String.raw`[\u007f-\u009f]|${unseen}`, 'gu');

/**
 * Escapes control characters, unusual line breaks, bidirectional controls and invisible characters, so that text of a server cannot control
 * the terminal, and shows all that it says.
 */
export function printable(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(unsafe, escaped);
}

/** What stands in front of each line of a text of a server or a model. */
export const mark = '  | ';

/**
 * Quotes text of a server: each line gets a mark that no line of the client itself has, so that the text cannot imitate one.
 * Consecutive blank lines are shown as their number: they could push earlier lines out of sight.
 */
export function quoted(text: string): string {
  const lines = /((?:[^\S\n]*\n){2,})|([^\n]*)\n/g;
  return `${text}\n`
    .replace(lines, (_all, blank: string | undefined, line: string) =>
      blank === undefined ? `${mark}${line}\n` : blankLines(blank.split('\n').length - 1),
    )
    .slice(0, -1);
}

/** Blank lines of a quoted text; several are shown as their number. */
export function blankLines(count: number): string {
  if (count === 0) return '';
  return count === 1 ? `${mark}\n` : `  (${count} blank lines)\n`;
}

/** Text of a server as part of a line: each run of white space becomes one space. */
export function inline(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/**
 * Breaks text into rows of a terminal, at spaces where it can. Each continuation row starts with the mark: a terminal would start it with any
 * text. A line without a space, such as a URL, stays whole and can be copied.
 *
 * @param used - the columns that are used before each line
 */
export function rows(text: string, columns: number, used = 0): string {
  return text
    .split('\n')
    .map((line) => (/^[!-~]*$/.test(line) ? line : broken(line, columns, used)))
    .join('\n');
}

function broken(line: string, columns: number, used: number): string {
  const head = line.startsWith(mark) ? mark : '';
  const breaker = new RowBreaker(() => columns);
  breaker.begin(head.length + used);
  let text = head;
  for (const character of line.slice(head.length)) text += breaker.add(character);
  return text + breaker.end();
}

/** Breaks a line that arrives by characters, as {@link rows} does. A word is held back until it is complete, or fills a row. */
export class RowBreaker {
  #start = 0;
  #used = 0;
  #gap = '';
  #word = '';
  #wordWidth = 0;

  constructor(private readonly columnsOf: () => number) {}

  /** Begins a line, of which so many columns were written. */
  begin(used: number): void {
    [this.#start, this.#used] = [used, used];
  }

  /** Returns what to write. */
  add(character: string): string {
    const isSpace = character === ' ' || character === '\t';
    const width = widthOf(character);
    const isComplete = isSpace || this.#wordWidth + width > this.columnsOf() - mark.length;
    const out = isComplete ? this.#flush() : '';
    if (isSpace) this.#gap += character;
    else [this.#word, this.#wordWidth] = [this.#word + character, this.#wordWidth + width];
    return out;
  }

  /** Returns the rest of the line. */
  end(): string {
    const out = this.#flush();
    const room = this.columnsOf() - this.#used;
    const rest = widthOfRow(this.#gap) <= room ? this.#gap : '';
    this.#gap = '';
    return out + rest;
  }

  #flush(): string {
    const gap = this.#gap;
    const word = this.#word;
    const wordWidth = this.#wordWidth;
    if (word === '') return '';
    [this.#gap, this.#word, this.#wordWidth] = ['', '', 0];
    const width = widthOfRow(gap) + wordWidth;
    if (this.#used + width <= this.columnsOf()) {
      this.#used += width;
      return gap + word;
    }
    if (this.#used === this.#start) {
      this.#used += wordWidth;
      return word;
    }
    this.begin(mark.length);
    this.#used += wordWidth;
    return `\n${mark}${word}`;
  }
}

/** Cuts text of one line to at most so many columns. */
export function cutRow(text: string, columns: number): string {
  let [row, used] = ['', 0];
  for (const character of text) {
    used += widthOf(character);
    if (used > columns) return widthOfRow(row) < columns ? `${row}…` : `${[...row].slice(0, -1).join('')}…`;
    row += character;
  }
  return row;
}

/** Cuts text of one line to at most so many columns, in the middle: the end of a URI says as much as its beginning. */
export function cutMiddle(text: string, columns: number): string {
  const characters = [...text];
  if (widthOfRow(text) <= columns) return text;
  const end: string[] = [];
  let room = Math.ceil((columns - 1) / 2);
  for (const character of characters.reverse()) {
    room -= widthOf(character);
    if (room < 0) break;
    end.unshift(character);
  }
  const tail = end.join('');
  return `${cutRow(text, columns - widthOfRow(tail))}${tail}`;
}

/** Adds spaces up to a number of columns. */
export function padRow(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(columns - widthOfRow(text), 0));
}

function widthOfRow(text: string): number {
  return [...text].reduce((sum, character) => sum + widthOf(character), 0);
}

/** An upper bound of the columns of a character: a row that is broken too early still has the mark. */
export function widthOf(character: string): number {
  if (character === '\t') return 8;
  return character < '\u1100' || character === '…' ? 1 : 2;
}

const maxChars = 2_048;

/**
 * Makes one line for standard error, at most 2,048 characters long, so that text of a server cannot imitate another
 * line.
 */
export function oneLine(text: string): string {
  const line = text.slice(0, maxChars + 1).replace(unsafeInLine, escaped);
  return line.length > maxChars ? `${line.slice(0, maxChars - 1)}…` : line;
}

/** JSON on one line, with the same characters as escapes; it means the same. */
export function jsonLine(value: unknown): string {
  return `${JSON.stringify(value ?? null).replace(unsafeInJson, escaped)}\n`;
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** A number of things: `1 tool`, `2 tools`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
