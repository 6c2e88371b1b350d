import { command } from '../command.js';
import { connectionOptions } from '../connection/options.js';
import { exits } from '../failure.js';
import type { Page } from '../output/page.js';
import { formProblem, isDisabled } from '../target/config/entry-target.js';
import { type ConfigEntry, isObject } from '../target/config/read-config.js';
import { findServers } from '../target/config/server-named.js';

export const serversCommand = command({
  options: { config: connectionOptions.config },
  details:
    'Lists the servers that can be called by name: those of ./mcp.json, and of the config files of Claude Desktop, Claude Code,\n' +
    'Cursor, VS Code, Windsurf and OpenCode. Of two with one name, the first is used. Arguments, variables and headers are not\n' +
    'shown: they may have secrets.',
  example: 'rxmcp servers --json',
  async run({ options: { config } }, { output, terminal, env }) {
    const { entries, errors } = await findServers(config, env);
    const seen = new Set<string>();
    for (const entry of entries) {
      const line: ServerLine = {
        ...described(entry),
        ...(seen.has(entry.name) ? ({ isHidden: true } as const) : {}),
      };
      seen.add(entry.name);
      output.print(line, (page) => shown(line, page));
    }
    for (const { message } of errors) terminal.tell(message);
    if (entries.length === 0) terminal.tell('no servers were found');
    return errors.length === 0 ? exits.good : exits.config;
  },
});

interface ServerLine {
  readonly name: string;
  readonly host: string;
  readonly file: string;
  readonly command?: string;
  readonly url?: string;
  readonly isDisabled?: true;
  /** Whether another server of this name is used. */
  readonly isHidden?: true;
  /** Why it cannot be used. */
  readonly problem?: string;
}

function described(entry: ConfigEntry): ServerLine {
  const { name, from, value } = entry;
  const { command: words, url, serverUrl = url } = isObject(value) ? value : {};
  const problem = formProblem(entry);
  const [first] = Array.isArray(words) ? (words as unknown[]) : [words];
  return {
    name,
    host: from.host,
    file: from.file,
    ...(typeof first === 'string' ? { command: first } : {}),
    // The query of a URL may be a key.
    ...(typeof serverUrl === 'string' ? { url: serverUrl.replace(/[?#].*/s, '') } : {}),
    ...(isDisabled(entry) ? { isDisabled: true } : {}),
    ...(problem === undefined ? {} : { problem }),
  };
}

function shown({ name, host, file, command: program, url, ...marks }: ServerLine, page: Page): string {
  const notes = [
    host,
    ...(marks.isDisabled === true ? ['disabled there'] : []),
    ...(marks.isHidden === true ? ['not used: an earlier file has this name'] : []),
  ].join(', ');
  const lines = [program ?? url ?? '', `${file} (${notes})`, marks.problem ?? ''];
  return [page.line(name, 'bold'), page.quote(lines.filter((line) => line !== '').join('\n'))].join('\n');
}
