/** What a server wrote must not steer a terminal: control characters, and those that turn the direction of text, are shown. */
export function printable(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(/[^\P{Cc}\n\t]|\p{Bidi_Control}/gu, escaped);
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
