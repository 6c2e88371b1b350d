import { catchError, EMPTY, ignoreElements, map, merge, type Observable, scan, switchMap } from 'rxjs';
import type { Remote, WireEvent } from 'rxmcp';
import { logging } from 'rxmcp/logging';

/** A line of the log or of the wire. */
export interface Entry {
  readonly label: string;
  readonly text: string;
}

const maxEntries = 200;
const maxChars = 4_000;
const secretName = /authorization|cookie|credential|passw|secret|token$|api.?key|requestState/i;
const secretText = /\b(bearer\s+)[\w.~+/=-]+/gi;

/** The last log records and faults of the remotes, the newest last. */
export function logOf(remote$: Observable<Remote | undefined>): Observable<readonly Entry[]> {
  return entriesOf(remote$, (remote) => {
    const log = logging(remote);
    return merge(
      log.setLevel('debug').pipe(
        ignoreElements(),
        catchError(() => EMPTY),
      ),
      log.records$.pipe(
        map(({ level, logger, data }) => entry(logger === undefined ? level : `${level} ${logger}`, data)),
      ),
      remote.faults$.pipe(map(({ code, message }) => entry(`fault ${code}`, message))),
    );
  });
}

/** The last messages of the remotes, the newest last, with their secrets hidden. */
export function wireOf(remote$: Observable<Remote | undefined>): Observable<readonly Entry[]> {
  return entriesOf(remote$, (remote) => remote.wire$.pipe(map(wireEntry)));
}

/** Shows a message without the values of members whose names say that they are secret, and without bearer tokens. */
export function wireEntry({ direction, message }: WireEvent): Entry {
  return entry(direction === 'in' ? '← received' : '→ sent', message);
}

function entriesOf(
  remote$: Observable<Remote | undefined>,
  entries: (remote: Remote) => Observable<Entry>,
): Observable<readonly Entry[]> {
  return remote$.pipe(
    switchMap((remote) => (remote === undefined ? EMPTY : entries(remote))),
    scan((all, one) => [...all, one].slice(-maxEntries), [] as readonly Entry[]),
  );
}

function entry(label: string, data: unknown): Entry {
  const json = typeof data === 'string' ? data : JSON.stringify(data, hideSecrets);
  const text = json.replace(secretText, '$1[hidden]');
  return {
    label,
    text: text.length > maxChars ? `${text.slice(0, maxChars)}… (${text.length} characters)` : text,
  };
}

function hideSecrets(name: string, value: unknown): unknown {
  return typeof value === 'string' && secretName.test(name) && name !== 'progressToken' ? '[hidden]' : value;
}
