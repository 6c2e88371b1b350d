import { fromEvent, ignoreElements, map, merge, type Observable, tap } from 'rxjs';
import type { App } from '../state/app.js';
import { byId, el } from './dom.js';
import { describeError } from '../state/errors.js';
import type { Session } from '../state/session.js';

/** Connects with the form of the page, and shows the state of the connection. */
export function connectionView({ target$, session$ }: App): Observable<readonly Node[]> {
  const form = byId<HTMLFormElement>('connect');
  const disconnect = byId<HTMLButtonElement>('disconnect');
  const valueOf = (id: string): string => byId<HTMLInputElement | HTMLTextAreaElement>(id).value.trim();
  const submitted$ = fromEvent(form, 'submit').pipe(
    tap((event) => {
      event.preventDefault();
      const roots = valueOf('roots')
        .split(/\s+/)
        .filter((root) => root !== '');
      target$.next({ url: valueOf('url'), token: valueOf('token'), roots });
    }),
  );
  const left$ = fromEvent(disconnect, 'click').pipe(tap(() => target$.next(undefined)));
  const shown$ = session$.pipe(
    map((session) => {
      disconnect.hidden = session.state === 'closed' || session.state === 'failed';
      return statusNodes(session);
    }),
  );
  return merge(shown$, merge(submitted$, left$).pipe(ignoreElements()));
}

function statusNodes(session: Session): readonly Node[] {
  switch (session.state) {
    case 'closed':
      return [el('span', {}, 'Not connected.')];
    case 'connecting':
      return [el('span', {}, 'Connecting …'), ...problemOf(session.cause)];
    case 'failed':
      return [el('span', {}, 'Not connected.'), ...problemOf(session.cause)];
    case 'open': {
      const { remote, status } = session;
      if (status.state === 'reconnecting')
        return [el('span', {}, 'Reconnecting …'), ...problemOf(status.cause)];
      const { name = 'a server without a name', version = '' } = remote.info ?? {};
      const era = remote.version <= '2025-11-25' ? 'legacy' : 'modern';
      const { instructions = '' } = remote;
      return [
        el('span', {}, `Connected to ${name} ${version}: ${era} era, revision ${remote.version}.`),
        ...(instructions === ''
          ? []
          : [el('details', {}, el('summary', {}, 'Instructions'), el('pre', {}, instructions))]),
      ];
    }
  }
}

function problemOf(cause: unknown): readonly Node[] {
  return cause === undefined ? [] : [el('p', { class: 'problem' }, describeError(cause))];
}
