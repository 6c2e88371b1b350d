import { type Observable, from, map, mergeMap } from 'rxjs';
import type { Remote } from 'rxmcp';
import { prompts } from 'rxmcp/prompts';
import { resources } from 'rxmcp/resources';
import { tools } from 'rxmcp/tools';
import { usageOf } from '../../call-arguments/usage.js';
import type { Command } from '../../command.js';
import { type Line, remoteCommand } from '../../connection/remote-command.js';
import type { Page } from '../../output/page.js';

export const toolsCommand = listCommand(
  'tools',
  'tools',
  (remote) => tools(remote).list(),
  (tool, page) => shownEntry(tool.name, [usageOf(tool), firstLine(tool.description ?? tool.title)], page),
  'At a terminal the arguments of each tool are shown as call takes them; those in [brackets] are optional.',
);

export const resourcesCommand = listCommand(
  'resources',
  'resources',
  (remote) => resources(remote).list(),
  (entry, page) => shownResource(entry.uri, entry, page),
);

export const templatesCommand = listCommand(
  'resources',
  'templates',
  (remote) => resources(remote).templates(),
  (entry, page) => shownResource(entry.uriTemplate, entry, page),
);

export const promptsCommand = listCommand(
  'prompts',
  'prompts',
  (remote) => prompts(remote).list(),
  ({ name, title, description, arguments: args = [] }, page) => {
    const shown = args
      .map((arg) => (arg.required === true ? `${arg.name}=STRING` : `[${arg.name}=STRING]`))
      .join(' ');
    return shownEntry(name, [shown, title, description], page);
  },
);

/** A command that prints one line per entry. Says so where the server has none of the kind, which an empty output does not. */
function listCommand<Entry>(
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

interface Described {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly mimeType?: string | undefined;
}

function shownResource(
  uri: string,
  { name, title = name, description, mimeType }: Described,
  page: Page,
): string {
  return shownEntry(uri, [mimeType === undefined ? title : `${title} (${mimeType})`, description], page);
}

/** An entry for a person: its name, and what is said of it. */
function shownEntry(name: string, notes: readonly (string | undefined)[], page: Page): string {
  const said = notes.filter((note) => note !== undefined && note !== '' && note !== name) as string[];
  return [page.line(name, 'bold'), ...said.map((note) => page.quote(note))].join('\n');
}

function firstLine(text = ''): string {
  return text.trim().split('\n', 1).join('');
}
