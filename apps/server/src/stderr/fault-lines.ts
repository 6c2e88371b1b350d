import { inspect } from 'node:util';
import type { Fault } from 'rxmcp';
import { safeLine } from './safe-line.js';

/** So many lines of a cause say where it happened. */
const maxCauseLines = 12;
const maxCauseChars = 16_384;

/** A fault in lines for whoever runs the server; those of its cause are indented, so that no peer can forge a fault of its own. */
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
