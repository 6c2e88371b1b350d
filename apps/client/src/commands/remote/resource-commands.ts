import { map, merge, type Observable } from 'rxjs';
import type { ResourceContents } from 'rxmcp';
import { resources } from 'rxmcp/resources';
import { type Line, remoteCommand } from '../../connection/remote-command.js';
import { contentsInLine, shownContents } from '../../output/contents.js';
import type { Page } from '../../output/page.js';
import { watchedTable } from '../../output/live-table.js';

export const readCommand = remoteCommand({
  words: [{ name: 'URI', suggests: 'resources' }],
  example: 'rxmcp read file:///logs/app.log https://example.com/mcp',
  run: ({ remote, words: [uri = ''] }) =>
    resources(remote)
      .read(uri)
      .pipe(map((contents): Line => ({ value: { contents }, show: (page) => shownAll(contents, page) }))),
});

export const watchCommand = remoteCommand({
  words: [{ name: 'URI', repeats: true, suggests: 'resources' }],
  details:
    'Reads the resources, and each again whenever it changes, until Ctrl-C. At a terminal they are a table.',
  continues: true,
  example: 'rxmcp watch file:///logs/app.log https://example.com/mcp',
  run({ remote, words, program }): Observable<Line> {
    const { watch } = resources(remote);
    const watched = [...new Set(words)].map((uri) => ({ uri, contents$: watch(uri) }));
    if (!watched.every(({ contents$ }) => contents$.isLive))
      program.terminal.tell(
        'this server does not announce changes of resources: it is read again only when the list changes',
      );
    if (!program.output.isShown || !program.terminal.live.isShown)
      return merge(...watched.map(({ contents$ }) => contents$)).pipe(
        map((contents): Line => ({ value: { contents }, show: (page) => shownAll(contents, page) })),
      );
    const rows = watched.map(({ uri, contents$ }) => ({
      name: uri,
      values$: contents$.pipe(
        map((contents) => ({
          text: contentsInLine(contents),
          below: watched.length > 1 ? [] : textRows(contents, program.output.page),
        })),
      ),
    }));
    return watchedTable(rows, program);
  },
});

/** Rows for the contents below a table with one row. */
const maxContentRows = 12;

function textRows(contents: readonly ResourceContents[], page: Page): readonly string[] {
  if (contents.some(({ text }) => text === undefined)) return [];
  return shownAll(contents, page).split('\n').slice(0, maxContentRows);
}

function shownAll(contents: readonly ResourceContents[], page: Page): string {
  return contents.map((one) => shownContents(one, page)).join('\n');
}
