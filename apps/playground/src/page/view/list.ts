import { combineLatest, map, type Observable } from 'rxjs';
import { type App, views } from '../state/app.js';
import type { Item } from '../state/catalog.js';
import { el } from './dom.js';

const maxShown = 500;

/** Shows the names of the views, with the number of things in each. */
export function viewsView({ view$, catalog$ }: App): Observable<readonly Node[]> {
  return combineLatest([view$, catalog$]).pipe(
    map(([current, { items }]) =>
      views.map((view) => {
        const count = items.filter(({ kind }) => kind === view).length;
        const props = { type: 'button', 'data-key': view, 'aria-current': current === view && 'page' };
        const name = `${view.charAt(0).toUpperCase()}${view.slice(1)}`;
        return el(
          'button',
          { ...props, click: () => view$.next(view) },
          view === 'log' || view === 'wire' ? name : `${name} (${count})`,
        );
      }),
    ),
  );
}

/** Lists the items of the current view, and the lists that failed. */
export function listView(app: App): Observable<readonly Node[]> {
  return combineLatest([app.view$, app.catalog$, app.selected$]).pipe(
    map(([view, { items, problems }, selected]) => {
      const shown = items.filter(({ kind }) => kind === view);
      return [
        ...problems.map((text) => el('p', { class: 'problem' }, text)),
        el(
          'ul',
          {},
          ...shown.slice(0, maxShown).map((item) => el('li', {}, itemButton(app, item, selected))),
        ),
        ...(shown.length > maxShown
          ? [el('p', {}, `${shown.length - maxShown} more: find them with Ctrl-K.`)]
          : []),
      ];
    }),
  );
}

/** Shows the first prompts as quick actions. */
export function quickActionsView(app: App): Observable<readonly Node[]> {
  return app.catalog$.pipe(
    map(({ items }) => {
      const prompts = items.filter(({ kind }) => kind === 'prompts').slice(0, 8);
      return prompts.map((item) => itemButton(app, item, undefined));
    }),
  );
}

function itemButton(app: App, item: Item, selected: string | undefined): HTMLElement {
  const { key, label, title } = item;
  const props = { type: 'button', 'data-key': key, title, 'aria-current': key === selected && 'true' };
  return el('button', { ...props, click: () => app.select(item) }, label);
}
