import {
  catchError,
  debounceTime,
  EMPTY,
  exhaustMap,
  filter,
  fromEvent,
  ignoreElements,
  merge,
  NEVER,
  type Observable,
  of,
  Subject,
  switchMap,
  tap,
  withLatestFrom,
} from 'rxjs';
import type { App } from '../state/app.js';
import type { Action, Item } from '../state/catalog.js';
import { el } from './dom.js';
import { fieldsOf } from '../state/fields.js';
import { type Form, formOf } from './form.js';
import { runNodes } from './output.js';
import { type Run, runOf } from '../state/run.js';

/** Shows the item that is selected. Its use is cancelled when another one is selected. */
export function itemView(app: App): Observable<readonly Node[]> {
  return app.item$.pipe(
    switchMap((item) =>
      item === undefined
        ? of([el('p', { class: 'about' }, 'Pick something from the list.')])
        : viewOf(app, item),
    ),
  );
}

function viewOf(app: App, item: Item): Observable<readonly Node[]> {
  const form = formOf(item.schema, fieldsOf(item.schema));
  const start$ = new Subject<Action>();
  const cancel$ = new Subject<void>();
  const buttons = item.actions.map((action, at) =>
    el(
      'button',
      { type: at === 0 ? 'submit' : 'button', ...(at === 0 ? {} : { click: () => start$.next(action) }) },
      action.label,
    ),
  );
  const cancel = el('button', { type: 'button', hidden: true, click: () => cancel$.next() }, 'Cancel');
  const output = el('section', { 'aria-label': 'Result', 'aria-live': 'polite' });
  const whole = el(
    'form',
    { novalidate: true, 'aria-label': item.label },
    ...form.nodes,
    el('p', {}, ...buttons, cancel),
  );
  const submit$ = merge(
    fromEvent(whole, 'submit'),
    fromEvent<KeyboardEvent>(whole, 'keydown').pipe(
      filter(({ key, ctrlKey, metaKey }) => key === 'Enter' && (ctrlKey || metaKey)),
    ),
  ).pipe(
    tap((event) => {
      event.preventDefault();
      start$.next(item.actions[0] as Action);
    }),
  );
  const runs$ = start$.pipe(
    withLatestFrom(app.remote$),
    exhaustMap(([action, remote]) => {
      if (remote === undefined) return of<Run>({ state: 'failed', logs: [], error: 'Not connected yet.' });
      const args = form.read();
      return args === undefined ? EMPTY : runOf(action.run(remote, args), cancel$);
    }),
    tap((run) => {
      cancel.hidden = run.state !== 'running';
      for (const button of buttons) button.disabled = run.state === 'running';
      whole.setAttribute('aria-busy', String(run.state === 'running'));
      output.replaceChildren(...runNodes(run));
    }),
  );
  const nodes = [
    el('h2', { tabindex: '-1' }, item.label),
    ...(item.title === '' || item.title === item.label ? [] : [el('p', { class: 'title' }, item.title)]),
    el('p', { class: 'about' }, item.description),
    whole,
    output,
  ];
  const effects$ = merge(runs$, submit$, suggestions(app, item, form, whole)).pipe(ignoreElements());
  return merge(of(nodes), effects$, NEVER);
}

/** Completes what is typed. A new key cancels the request of the one before it. */
function suggestions({ remote$ }: App, item: Item, form: Form, root: HTMLElement): Observable<unknown> {
  const { suggest } = item;
  if (suggest === undefined) return EMPTY;
  return merge(fromEvent(root, 'input'), fromEvent(root, 'focusin')).pipe(
    filter(({ target }) => target instanceof HTMLTextAreaElement),
    debounceTime(100),
    withLatestFrom(remote$),
    switchMap(([{ target }, remote]) => {
      const { name, value } = target as HTMLTextAreaElement;
      const { [name]: _typed, ...others } = form.texts();
      if (remote === undefined) return EMPTY;
      return suggest(remote, name, value, others).pipe(
        catchError(() => of([])),
        tap((values) =>
          form.suggest(
            name,
            values.filter((one) => one !== value),
          ),
        ),
      );
    }),
  );
}
