import { finalize, map, merge, type Observable, scan, tap } from 'rxjs';
import type { Remote, ResourceContents } from 'rxmcp';
import { prompts } from 'rxmcp/prompts';
import { resources } from 'rxmcp/resources';
import { tools } from 'rxmcp/tools';
import { type Line, remoteCommand } from '../connection/remote-command.js';
import { inOneLine } from '../output/contents.js';
import { LiveTable } from '../output/live-table.js';

export const listenCommand = remoteCommand({
  words: [{ name: 'URI', optional: true, repeats: true, suggests: 'resources' }],
  details:
    'Prints an event for each change of the lists of the server, and of the resources that are named, until Ctrl-C.\n' +
    'The first event of a list has its present names. At a terminal the events are a table.',
  example: 'rxmcp listen file:///logs/app.log https://example.com/mcp',
  run({ remote, words: uris, program }) {
    const { watch } = resources(remote);
    const kinds = Object.keys(lists).filter((kind) => kind in remote.capabilities) as Kind[];
    if (kinds.length + uris.length === 0) program.terminal.tell('this server has no lists');
    const events = merge(
      ...kinds.map((kind) => changesOf(kind, remote)),
      ...uris.map((uri) =>
        watch(uri).pipe(map((contents): ResourceEvent => ({ type: 'resource', uri, contents }))),
      ),
    );
    const { output, terminal } = program;
    if (!output.isShown || !terminal.live.isShown) return events.pipe(map((value): Line => ({ value })));
    const table = new LiveTable(terminal.live, output.page, ['what', 'changes', 'now']);
    const changes = new Map<string, number>();
    return events.pipe(
      tap((event) => {
        const what = event.type === 'resource' ? event.uri : event.type;
        const count = (changes.get(what) ?? -1) + 1;
        changes.set(what, count);
        table.set(what, [
          what,
          `${count}`,
          event.type === 'resource' ? inOneLine(event.contents) : shownList(event),
        ]);
      }),
      map((): Line => ({ value: undefined, show: () => '' })),
      finalize(() => table.end()),
    );
  },
});

const lists = {
  tools: (remote: Remote) => tools(remote).list$.pipe(map((all) => all.map(({ name }) => name))),
  resources: (remote: Remote) => resources(remote).list$.pipe(map((all) => all.map(({ uri }) => uri))),
  prompts: (remote: Remote) => prompts(remote).list$.pipe(map((all) => all.map(({ name }) => name))),
};
type Kind = keyof typeof lists;

interface ResourceEvent {
  readonly type: 'resource';
  readonly uri: string;
  readonly contents: readonly ResourceContents[];
}

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
      {
        names: [] as readonly string[],
        event: { type: kind, count: 0, added: [], removed: [] } as ListEvent,
      },
    ),
    map(({ event }) => event),
  );
}

function shownList({ count, added, removed }: ListEvent): string {
  const changes = [...added.map((name) => `+${name}`), ...removed.map((name) => `-${name}`)];
  return `${count}: ${changes.join(' ')}`;
}
