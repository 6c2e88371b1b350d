import { defer, finalize, map, merge, type Observable, tap } from 'rxjs';
import type { ResourceContents } from 'rxmcp';
import { resources } from 'rxmcp/resources';
import type { Program } from '../command.js';
import { type Line, remoteCommand } from '../connection/remote-command.js';
import { shownContents } from '../output/contents.js';
import { LiveTable } from '../output/live-table.js';

export const watchCommand = remoteCommand({
  words: [{ name: 'URI', repeats: true, suggests: 'resources' }],
  details:
    'Reads the resources, and each again whenever it changes, until Ctrl-C. At a terminal they are a table.',
  example: 'rxmcp watch file:///logs/app.log https://example.com/mcp',
  run({ remote, words, program }) {
    const { watch } = resources(remote);
    const watched = [...new Set(words)].map((uri) => ({ uri, contents$: watch(uri) }));
    if (!watched.every(({ contents$ }) => contents$.isLive))
      program.terminal.tell(
        'this server does not announce changes of resources: it is read again only when the list changes',
      );
    return program.output.isShown
      ? inTable(watched, program)
      : merge(...watched.map(({ contents$ }) => contents$)).pipe(
          map((contents): Line => ({ value: { contents } })),
        );
  },
});

interface Watched {
  readonly uri: string;
  readonly contents$: Observable<readonly ResourceContents[]>;
}

/** Rows for the contents below a table with one row. */
const maxContentRows = 12;

function inTable(watched: readonly Watched[], { terminal, output }: Program): Observable<Line> {
  const { page } = output;
  if (!terminal.live.isShown)
    return merge(...watched.map(({ contents$ }) => contents$)).pipe(
      map((contents): Line => ({ value: { contents }, show: () => shownAll(contents) })),
    );
  const table = new LiveTable(terminal.live, page, ['resource', 'changes', 'at', 'contents']);
  return merge(
    ...watched.map(({ uri, contents$ }) =>
      defer(() => {
        let changes = -1;
        return contents$.pipe(
          tap((contents) => {
            changes += 1;
            const isShort = watched.length > 1 || contents.some(({ text }) => text === undefined);
            const below = isShort ? [] : shownAll(contents).split('\n').slice(0, maxContentRows);
            table.set(uri, [uri, `${changes}`, timeOf(new Date()), inOneLine(contents)], below);
          }),
          map((): Line => ({ value: undefined, show: () => '' })),
        );
      }),
    ),
  ).pipe(finalize(() => table.end()));

  function shownAll(contents: readonly ResourceContents[]): string {
    return contents.map((one) => shownContents(one, page)).join('\n');
  }
}

function inOneLine(contents: readonly ResourceContents[]): string {
  return contents.map(({ text, mimeType = 'binary' }) => text ?? `(${mimeType})`).join(' ');
}

function timeOf(date: Date): string {
  return date.toTimeString().slice(0, 8);
}
