import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { maxHistory, type Terminal } from '../terminal.js';

/** The lines of a file that earlier sessions wrote, the latest first; none if there is no file. */
export function readHistory(file: string): string[] {
  try {
    const lines = readFileSync(file, 'utf8').split('\n');
    return lines.filter((line) => line !== '').slice(0, maxHistory);
  } catch {
    return [];
  }
}

/** Writes the lines of a terminal. A failure is no reason to lose the session. */
export function writeHistory(file: string, { history, tell }: Terminal): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, history.map((line) => `${line}\n`).join(''), { mode: 0o600 });
  } catch {
    tell(`the history could not be written to ${file}`);
  }
}
