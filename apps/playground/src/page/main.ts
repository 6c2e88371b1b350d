import { map, type Observable, startWith } from 'rxjs';
import { transportFor } from 'rxmcp/url';
import { App, views } from './state/app.js';
import { asksView } from './view/asks.js';
import { connectionView } from './view/connection.js';
import { byId, mount } from './view/dom.js';
import { itemView } from './view/item.js';
import { journalView } from './view/journal.js';
import { listView, quickActionsView, viewsView } from './view/list.js';
import type { Command } from './state/palette.js';
import { paletteView } from './view/palette.js';
import { relayedFetch } from './relayed-fetch.js';

const app = new App(({ url, token }) => {
  const headers = token === '' ? {} : { authorization: `Bearer ${token}` };
  const isOwn = new URL(url).origin === location.origin;
  return transportFor(url, { headers, ...(isOwn ? {} : { fetch: relayedFetch }) });
});

byId<HTMLInputElement>('url').value = new URLSearchParams(location.search).get('url') ?? '';

mount(byId('status'), connectionView(app));
mount(byId('quick'), quickActionsView(app));
mount(byId('views'), viewsView(app));
mount(byId('list'), listView(app));
mount(byId('item'), itemView(app));
mount(byId('journal'), journalView(app));
mount(byId('ask'), asksView(app.asks, byId('asks')));
mount(byId('palette-commands'), paletteView(commandsOf(app)));
app.view$.subscribe((view) => (document.body.dataset['view'] = view));
app.selected$.subscribe((key) => key === undefined || byId('item').querySelector('h2')?.focus());

function commandsOf({ catalog$, target$, view$ }: App): Observable<readonly Command[]> {
  const own: readonly Command[] = [
    { label: 'Disconnect', detail: 'closes the connection', run: () => target$.next(undefined) },
    { label: 'Connect', detail: 'goes to the address', run: () => byId('url').focus() },
    ...views.map((view) => ({ label: `Show ${view}`, detail: 'view', run: () => view$.next(view) })),
  ];
  return catalog$.pipe(
    map(({ items }) =>
      items.map((item) => ({ label: item.label, detail: item.title, run: () => app.select(item) })),
    ),
    startWith([]),
    map((items) => [...items, ...own]),
  );
}
