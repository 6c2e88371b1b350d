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

/** A text made safe to print: control characters escaped, at most 200 characters. */
export function shown(text: string): string {
  const quoted = JSON.stringify(text.slice(0, maxShown));
  // JSON leaves DEL, the C1 controls and the separators of lines and directions as they are.
  const escaped = quoted.replace(
    /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return escaped.length > maxShown || text.length > maxShown ? `${escaped.slice(0, maxShown - 1)}…` : escaped;
}
