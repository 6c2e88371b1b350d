import { TransportError } from '@rxmcp/transport';

const maxShown = 200;
const brace = 0x7b;
const bracket = 0x5b;

/** Whether a line can be a message: its first character that is not blank opens an object or an array. */
export function mayBeMessage(line: string): boolean {
  const first = line.charCodeAt(0);
  if (first === brace || first === bracket) return true;
  const start = line.trimStart().charCodeAt(0);
  return start === brace || start === bracket;
}

/** The fault of output that is no message; `count` such outputs came so far. */
export function noiseFault(text: string, count: number): TransportError {
  return new TransportError('NOISE', `Output that is no message was skipped: ${shown(text)}`, {
    details: { count },
  });
}

/** A text made safe to print, in quotes: control characters escaped, at most 200 characters. */
export function shown(text: string): string {
  return cut(escaped(JSON.stringify(text.slice(0, maxShown))), text);
}

/** The same without quotes. */
export function printable(text: string): string {
  return cut(escaped(text.slice(0, maxShown)), text);
}

function cut(safe: string, text: string): string {
  return safe.length > maxShown || text.length > maxShown ? `${safe.slice(0, maxShown - 1)}…` : safe;
}

// JSON leaves DEL, the C1 controls and the separators of lines and directions as they are.
function escaped(text: string): string {
  return text.replace(
    /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
