import { once } from 'rxmcp';
import { prompts } from 'rxmcp/prompts';
import { sessionCommands } from './completions.js';
import { choose } from './picker.js';
import type { Terminal } from '../../terminal.js';
import { type ChatServer, fromAll } from '../tool-set.js';

interface Choice {
  /** The name of a prompt. */
  readonly name?: string;
  readonly line: string;
  readonly text: string;
}

/**
 * Completes the first word of a line such as `/NAME`, where one server alone has a prompt of that name. At a terminal the person chooses
 * among the commands and prompts that contain the word, which may be empty. Resolves with undefined, after a message, where nothing fits or
 * nothing was chosen.
 */
export async function slashLine(
  line: string,
  servers: readonly ChatServer[],
  terminal: Terminal,
  signal: AbortSignal,
): Promise<string | undefined> {
  const [word = ''] = line.split(/\s/, 1);
  const commands: readonly string[] = sessionCommands;
  if (commands.includes(line) || servers.some(({ name }) => word.startsWith(`/${name}:`))) return line;
  const rest = line.slice(word.length);
  const name = word.slice(1);
  const all = await promptsOf(servers, signal);
  const same = all.filter((one) => one.name === name);
  const [only, another] = same;
  if (only !== undefined && another === undefined) return only.line + rest;
  const known = [...commands.map((one): Choice => ({ line: one, text: one })), ...all];
  const fitting =
    another === undefined
      ? known.filter(({ text }) => text.toLowerCase().includes(name.toLowerCase()))
      : same;
  if (terminal.isInteractive && fitting.length > 0) {
    const chosen = (await choose(`Commands and prompts for ${word}`, fitting, terminal, signal))?.line;
    return chosen === undefined || commands.includes(chosen) ? chosen : chosen + rest;
  }
  const several = `is a prompt of several servers: ${same.map((one) => one.line).join(', ')}`;
  const nothing = `is not a command. Commands: ${commands.join(', ')}, /SERVER:PROMPT`;
  terminal.tell(`${JSON.stringify(word)} ${another === undefined ? nothing : several}`);
  return undefined;
}

function promptsOf(servers: readonly ChatServer[], signal: AbortSignal): Promise<readonly Choice[]> {
  return fromAll(servers, async ({ name: server, remote }) => {
    const list = await once(prompts(remote).list(), { signal });
    return list.map(({ name, title, description = title ?? '' }) => {
      const line = `/${server}:${name}`;
      return { name, line, text: `${line} ${description}`.trim() };
    });
  });
}
