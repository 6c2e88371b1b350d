import {
  catchError,
  concat,
  distinctUntilChanged,
  endWith,
  filter,
  map,
  NEVER,
  type Observable,
  of,
  switchMap,
  throwError,
} from 'rxjs';
import { type Client, reconnect, type Remote, type RemoteStatus } from 'rxmcp';
import type { Transport } from 'rxmcp/transport';

/** What the page knows of its connection. */
export type Session =
  | { readonly state: 'closed' }
  | { readonly state: 'connecting'; readonly cause?: unknown }
  | { readonly state: 'open'; readonly remote: Remote; readonly status: RemoteStatus }
  | { readonly state: 'failed'; readonly cause: unknown };

/**
 * Connects, and connects again whenever an open connection is lost. A first attempt that fails is final: the address is probably wrong.
 * Unsubscribing closes the connection.
 */
export function sessionOf(client: Client, transport: Transport): Observable<Session> {
  let wasOpen = false;
  const attempt$ = client.live(transport).pipe(
    switchMap((remote) => {
      wasOpen = true;
      return remote.status$.pipe(
        distinctUntilChanged((a, b) => a.state === b.state),
        filter(({ state }) => state !== 'closed'),
        map((status): Session => ({ state: 'open', remote, status })),
      );
    }),
    catchError((cause: unknown): Observable<Session> =>
      wasOpen
        ? concat(
            of<Session>({ state: 'connecting', cause }),
            throwError(() => cause),
          )
        : concat(of<Session>({ state: 'failed', cause }), NEVER),
    ),
    endWith<Session>({ state: 'connecting' }),
    reconnect(),
    catchError((cause: unknown) => of<Session>({ state: 'failed', cause })),
  );
  return concat(of<Session>({ state: 'connecting' }), attempt$);
}
