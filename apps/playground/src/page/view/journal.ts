import { auditTime, combineLatest, map, type Observable, startWith } from 'rxjs';
import type { App } from '../state/app.js';
import { el } from './dom.js';
import { type Entry, logOf, wireOf } from '../state/journal.js';

/** Redrawn at most so often, in milliseconds: a server may send any number of records. */
const redrawMs = 50;

/** Shows the log or the wire while its view is the current one. Both are followed all the time. */
export function journalView({ view$, remote$ }: App): Observable<readonly Node[]> {
  const none: readonly Entry[] = [];
  const log$ = logOf(remote$).pipe(startWith(none));
  const wire$ = wireOf(remote$).pipe(startWith(none));
  return combineLatest([view$, log$, wire$]).pipe(
    auditTime(redrawMs),
    map(([view, log, wire]) => {
      if (view !== 'log' && view !== 'wire') return [];
      const entries = view === 'log' ? log : wire;
      if (entries.length === 0) return [el('p', { class: 'about' }, 'Nothing so far.')];
      return [el('ol', { class: 'journal', reversed: true }, ...entries.map(entryNode).toReversed())];
    }),
  );
}

function entryNode({ label, text }: Entry): HTMLElement {
  return el('li', {}, el('strong', {}, label), ' ', el('code', {}, text));
}
