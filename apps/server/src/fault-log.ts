import { inspect } from 'node:util';
import type { Fault } from 'rxmcp';

/** So many lines of a cause say where it happened. */
const maxCauseLines = 12;
const maxCauseChars = 16_384;

/** Formats a fault as lines for the operator. Lines of its cause are indented, so that no peer can forge a fault. */
export function faultLines({ code, message, reference, cause }: Fault): readonly string[] {
  const about = reference === undefined ? code : `${code} (reference ${reference})`;
  return [safeLine(`${about}: ${message}`), ...(cause === undefined ? [] : causeLines(cause))];
}

function causeLines(cause: unknown): readonly string[] {
  const options = { depth: 2, maxArrayLength: 16, maxStringLength: 1_024 };
  const lines = inspect(cause, options).slice(0, maxCauseChars).split('\n');
  const left = lines.length - maxCauseLines;
  return [
    ...lines.slice(0, maxCauseLines).map((line) => safeLine(`    ${line}`)),
    ...(left > 0 ? [`    (${left} more lines)`] : []),
  ];
}

/** Longer lines are cut. */
const maxChars = 1_024;

/**
 * One line that is safe to print, at most 1,024 characters long: part of it may come from a peer, which must neither steer
 * a terminal nor write lines of its own.
 */
export function safeLine(text: string): string {
  const escaped = text
    .slice(0, maxChars + 1)
    .replace(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cs}]/gu, (character) => {
      return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
    });
  return escaped.length > maxChars ? `${escaped.slice(0, maxChars - 1)}…` : escaped;
}

/** How many records one window takes; what is left out is only counted. */
const perWindow = 20;
const windowMs = 10_000;

/**
 * Writes records of lines, at most 20 within 10 s, so that a client cannot flood the log. Omitted records are
 * counted, and their number is written when the window ends.
 */
export function rateLimited(write: (text: string) => void): (lines: readonly string[]) => void {
  let written = 0;
  let left = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ended = (): void => {
    timer = undefined;
    written = 0;
    if (left > 0) write(`(${left} more faults within ${windowMs / 1_000} s were left out)\n`);
    left = 0;
  };
  return (lines) => {
    if (timer === undefined) {
      timer = setTimeout(ended, windowMs);
      // The log must not keep the process alive.
      timer.unref();
    }
    if (written < perWindow) {
      written += 1;
      write(`${lines.join('\n')}\n`);
    } else left += 1;
  };
}
