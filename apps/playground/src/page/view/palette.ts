import { combineLatest, filter, fromEvent, map, merge, type Observable, startWith, tap } from 'rxjs';
import { byId, el } from './dom.js';
import { type Command, matchingCommands } from '../state/palette.js';

/** Shows the command palette in its dialog: Ctrl-K or Cmd-K opens it, arrow keys move, Enter runs, Escape closes. */
export function paletteView(commands$: Observable<readonly Command[]>): Observable<readonly Node[]> {
  const dialog = byId<HTMLDialogElement>('palette');
  const input = byId<HTMLInputElement>('palette-query');
  let shown: readonly Command[] = [];
  let active = 0;
  const open = (): void => {
    input.value = '';
    input.dispatchEvent(new Event('input'));
    if (!dialog.open) dialog.showModal();
  };
  const run = (command: Command | undefined): void => {
    dialog.close();
    command?.run();
  };
  const opened$ = merge(
    fromEvent<KeyboardEvent>(document, 'keydown').pipe(
      filter(({ key, ctrlKey, metaKey }) => key.toLowerCase() === 'k' && (ctrlKey || metaKey)),
    ),
    fromEvent(byId('palette-open'), 'click'),
  ).pipe(
    tap((event) => {
      event.preventDefault();
      open();
    }),
  );
  const moved$ = fromEvent<KeyboardEvent>(input, 'keydown').pipe(
    tap((event) => {
      const { key } = event;
      const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
      if (step === 0 && key !== 'Enter') return;
      event.preventDefault();
      if (key === 'Enter') run(shown[active]);
      else active = (active + step + shown.length) % Math.max(shown.length, 1);
    }),
  );
  const typed$ = fromEvent(input, 'input').pipe(tap(() => (active = 0)));
  const found$ = combineLatest([commands$, typed$.pipe(startWith(undefined))]).pipe(
    map(([commands]) => matchingCommands(commands, input.value)),
    tap((found) => (shown = found)),
  );
  const moves$ = merge(opened$, moved$).pipe(startWith(undefined));
  return combineLatest([found$, moves$]).pipe(
    map(([found]) => {
      input.setAttribute('aria-activedescendant', found.length === 0 ? '' : `command-${active}`);
      if (found.length === 0) return [el('li', {}, 'Nothing matches.')];
      return found.map((command, at) => commandNode(command, at, at === active, run));
    }),
  );
}

function commandNode(
  command: Command,
  at: number,
  selected: boolean,
  run: (command: Command) => void,
): HTMLElement {
  const node = el(
    'li',
    { id: `command-${at}`, role: 'option', 'aria-selected': String(selected), click: () => run(command) },
    el('strong', {}, command.label),
    ` ${command.detail}`,
  );
  if (selected) queueMicrotask(() => node.scrollIntoView({ block: 'nearest' }));
  return node;
}
