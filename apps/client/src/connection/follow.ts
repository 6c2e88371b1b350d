import { type Fault, type Remote, type RemoteStatus, once } from 'rxmcp';
import { logging } from 'rxmcp/logging';
import { distinctUntilChanged, map, type Observable, skipWhile, takeWhile } from 'rxjs';
import { describeError } from '@rxmcp/app-serving/describe-error';

/** Returns what shows faults. A server that prints to standard output does so again and again: only its first line is shown. */
export function faultTeller(tell: (text: string) => void): (fault: Fault) => void {
  let isNoisy = false;
  return ({ code, message }) => {
    // For programmers: results are printed as they come.
    if (code === 'SCHEMA_UNCHECKED') return;
    const isNoise = code === 'UNEXPECTED_OUTPUT';
    if (isNoise && isNoisy) return;
    isNoisy ||= isNoise;
    tell(`fault ${code}: ${message}${isNoise ? '; further lines are not shown' : ''}`);
  };
}

/** A loss of the connection, or its return. */
export interface ConnectionEvent {
  readonly type: 'connection';
  readonly state: 'lost' | 'open';
  /** Why it is lost. */
  readonly cause?: string;
}

/**
 * Follows the losses after which a remote connects again, or subscribes again where each subscription has a connection of its own. Shows
 * them, and emits each, and each return.
 */
export function followLosses({ status$ }: Remote, tell: (text: string) => void): Observable<ConnectionEvent> {
  return status$.pipe(
    takeWhile(({ state }) => state !== 'closed'),
    distinctUntilChanged((before, now) => isLost(before) === isLost(now)),
    skipWhile((status) => !isLost(status)),
    map((status): ConnectionEvent => {
      if (!isLost(status)) {
        tell('connected again');
        return { type: 'connection', state: 'open' };
      }
      const cause = status.state === 'reconnecting' ? describeError(status.cause) : undefined;
      tell(`the connection was lost, and is opened again${cause === undefined ? '' : `: ${cause}`}`);
      return { type: 'connection', state: 'lost', ...(cause === undefined ? {} : { cause }) };
    }),
  );
}

function isLost(status: RemoteStatus): boolean {
  return status.state === 'reconnecting' || (status.state === 'open' && status.subscriptions.reopening > 0);
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
