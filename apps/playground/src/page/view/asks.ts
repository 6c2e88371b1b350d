import { distinctUntilChanged, map, type Observable } from 'rxjs';
import type { Ask, Asks } from '../state/asks.js';
import { el } from './dom.js';
import { formOf } from './form.js';

/** Shows the oldest request that waits for a person, as a dialog. Escape cancels it. */
export function asksView({ waiting$ }: Asks, dialog: HTMLDialogElement): Observable<readonly Node[]> {
  let current: Ask | undefined;
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    current?.answer({ action: 'cancel' });
  });
  return waiting$.pipe(
    map(([first]) => first),
    distinctUntilChanged(),
    map((ask) => {
      current = ask;
      if (ask === undefined) {
        dialog.close();
        return [];
      }
      if (!dialog.open) dialog.showModal();
      return askNodes(ask);
    }),
  );
}

function askNodes(ask: Ask): readonly Node[] {
  const form = formOf(ask.schema, ask.fields);
  const accept = (event: Event): void => {
    event.preventDefault();
    const args = form.read();
    if (args !== undefined) ask.answer({ action: 'accept', args });
  };
  return [
    el('h2', { id: 'ask-title' }, ask.title),
    ...ask.texts.map((text) => el('pre', {}, text)),
    ...ask.warnings.map((text) => el('p', { class: 'problem' }, text)),
    el(
      'form',
      { novalidate: true, submit: accept },
      ...form.nodes,
      el('button', { type: 'submit' }, ask.accept),
      el('button', { type: 'button', click: () => ask.answer({ action: 'decline' }) }, 'Decline'),
    ),
  ];
}
