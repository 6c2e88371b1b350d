import type { Remote } from 'rxmcp';
import { once } from 'rxmcp';
import { logging } from 'rxmcp/logging';
import { describeError } from '../failure.js';

/** Shows faults. A server that prints to standard output does so again and again: only its first line is shown. */
export function followFaults({ faults$ }: Remote, tell: (text: string) => void): void {
  let isNoisy = false;
  faults$.subscribe(({ code, message }) => {
    // For programmers: results are printed as they come.
    if (code === 'SCHEMA_UNCHECKED') return;
    const isNoise = code === 'UNEXPECTED_OUTPUT';
    if (isNoise && isNoisy) return;
    isNoisy ||= isNoise;
    tell(`fault ${code}: ${message}${isNoise ? '; further lines are not shown' : ''}`);
  });
}

/** Requests log records of level `info` from servers that log; if the server rejects that, its records are still shown. */
export async function followLog(
  remote: Remote,
  tell: (text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const { records$, setLevel } = logging(remote);
  records$.subscribe(({ level, logger, data }) => {
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    tell(`log ${level}${logger === undefined ? '' : ` ${logger}`}: ${text}`);
  });
  if (!('logging' in remote.capabilities)) return;
  await once(setLevel('info'), { signal }).catch((error: unknown) => {
    if (!signal.aborted) tell(`the log level was not set: ${describeError(error)}`);
  });
}
