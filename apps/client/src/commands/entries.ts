import type { Observable } from 'rxjs';
import { from, map, mergeMap } from 'rxjs';
import type { Remote } from 'rxmcp';
import type { Command } from '../command.js';
import { type Line, remoteCommand } from '../connection/remote-command.js';
import type { Page } from '../output/page.js';

/** A command that prints one line per entry. Says so where the server has none of the kind, which an empty output does not. */
export function listCommand<Entry>(
  kind: 'tools' | 'resources' | 'prompts',
  name: string,
  entries: (remote: Remote) => Observable<readonly Entry[]>,
  show: (entry: Entry, page: Page) => string,
  details = '',
): Command {
  return remoteCommand({
    details,
    example: `rxmcp ${name} -- node server.mjs`,
    run({ remote, program }) {
      if (!(kind in remote.capabilities)) program.terminal.tell(`this server has no ${kind}`);
      return entries(remote).pipe(
        mergeMap((page) => from(page), 1),
        map((value): Line => ({ value, show: (page) => show(value, page) })),
      );
    },
  });
}

/** An entry for a person: its name, and what is said of it. */
export function shownEntry(name: string, notes: readonly (string | undefined)[], page: Page): string {
  const said = notes.filter((note) => note !== undefined && note !== '' && note !== name) as string[];
  return [page.line(name, 'bold'), ...said.map((note) => page.quote(note))].join('\n');
}
