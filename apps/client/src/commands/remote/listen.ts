import { map, merge, type Observable, scan } from 'rxjs';
import type { Remote } from 'rxmcp';
import { prompts } from 'rxmcp/prompts';
import { resources } from 'rxmcp/resources';
import { tools } from 'rxmcp/tools';
import { type Line, remoteCommand } from '../../connection/remote-command.js';
import { contentsInLine } from '../../output/contents.js';
import { watchedTable, type WatchedValue } from '../../output/live-table.js';

export const listenCommand = remoteCommand({
  words: [{ name: 'URI', optional: true, repeats: true, suggests: 'resources' }],
  details:
    'Prints an event for each change of the lists of the server, and of the resources that are named, until Ctrl-C.\n' +
    'The first event of a list has its present names. At a terminal they are a table.',
  continues: true,
  example: 'rxmcp listen file:///logs/app.log https://example.com/mcp',
  run({ remote, words: uris, program }): Observable<Line> {
    const { watch } = resources(remote);
    const kinds = Object.keys(lists).filter((kind) => kind in remote.capabilities) as Kind[];
    if (kinds.length + uris.length === 0) program.terminal.tell('this server has no lists');
    if (program.output.isShown && program.terminal.live.isShown)
      return watchedTable(
        [
          ...kinds.map((kind) => ({ name: kind, values$: changesOf(kind, remote).pipe(map(listText)) })),
          ...uris.map((uri) => ({
            name: uri,
            values$: watch(uri).pipe(map((contents) => ({ text: contentsInLine(contents) }))),
          })),
        ],
        program,
      );
    return merge(
      ...kinds.map((kind) => changesOf(kind, remote).pipe(map((event): Line => ({ value: event })))),
      ...uris.map((uri) =>
        watch(uri).pipe(map((contents): Line => ({ value: { type: 'resource', uri, contents } }))),
      ),
    );
  },
});

const lists = {
  tools: (remote: Remote) => tools(remote).list$.pipe(map((all) => all.map(({ name }) => name))),
  resources: (remote: Remote) => resources(remote).list$.pipe(map((all) => all.map(({ uri }) => uri))),
  prompts: (remote: Remote) => prompts(remote).list$.pipe(map((all) => all.map(({ name }) => name))),
};
type Kind = keyof typeof lists;

interface ListEvent {
  readonly type: Kind;
  readonly count: number;
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** An event for the present list, and for each later one. */
function changesOf(kind: Kind, remote: Remote): Observable<ListEvent> {
  return lists[kind](remote).pipe(
    scan(
      (before, names) => ({
        names,
        event: {
          type: kind,
          count: names.length,
          added: names.filter((name) => !before.names.includes(name)),
          removed: before.names.filter((name) => !names.includes(name)),
        } satisfies ListEvent,
      }),
      { names: [] as readonly string[], event: undefined as ListEvent | undefined },
    ),
    map(({ event }) => event as ListEvent),
  );
}

function listText({ count, added, removed }: ListEvent): WatchedValue {
  const changes = [...added.map((name) => `+${name}`), ...removed.map((name) => `-${name}`)];
  return { text: `${count}: ${changes.join(' ')}` };
}
