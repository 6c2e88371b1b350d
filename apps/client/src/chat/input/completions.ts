import { once } from 'rxmcp';
import { completion } from 'rxmcp/completion';
import { prompts } from 'rxmcp/prompts';
import { resources } from 'rxmcp/resources';
import { printable } from '../../printable.js';
import { type ChatServer, fromAll } from '../tool-set.js';

/** The commands of a chat. */
export const sessionCommands = ['/help', '/tools', '/resources', '/prompts', '/quit'] as const;

type Completions = readonly [completions: readonly string[], part: string];

/**
 * Completes the last word of a line: commands, prompts, their arguments by the suggestions of the server, and resources after `@`. What is not
 * printable is left out.
 */
export async function completions(
  line: string,
  servers: readonly ChatServer[],
  signal: AbortSignal,
): Promise<Completions> {
  const part = /\S*$/.exec(line)?.[0] ?? '';
  const found = await candidates(line, part, servers, signal);
  const fitting = found.filter((one) => one.startsWith(part) && printable(one) === one && !/\s/.test(one));
  return [[...new Set(fitting)], part];
}

async function candidates(
  line: string,
  part: string,
  servers: readonly ChatServer[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (part.startsWith('@')) return fromAll(servers, (server) => resourcesOf(server, part, signal));
  if (!line.startsWith('/')) return [];
  if (line === part) return [...sessionCommands, ...(await promptNames(servers, signal))];
  return fromAll(servers, (server) => argumentsOf(server, line, part, signal));
}

/** The prompts with the names of their servers, and those without that one server alone has. */
async function promptNames(servers: readonly ChatServer[], signal: AbortSignal): Promise<readonly string[]> {
  const found = await fromAll(servers, async ({ name, remote }) => {
    const list = await once(prompts(remote).list(), { signal });
    return list.map((prompt) => ({ server: name, prompt: prompt.name }));
  });
  return found.flatMap(({ server, prompt }) => {
    const isAlone = found.filter((other) => other.prompt === prompt).length === 1;
    return [`/${server}:${prompt}`, ...(isAlone ? [`/${prompt}`] : [])];
  });
}

async function argumentsOf(
  { name, remote }: ChatServer,
  line: string,
  part: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const list = await once(prompts(remote).list(), { signal });
  const info = list.find(
    (one) => line.startsWith(`/${name}:${one.name} `) || line.startsWith(`/${one.name} `),
  );
  if (info === undefined) return [];
  const [, argument, typed = ''] = /^([^=]+)=(.*)$/s.exec(part) ?? [];
  if (argument === undefined) return (info.arguments ?? []).map((one) => `${one.name}=`);
  const { values } = await once(completion(remote).prompt(info.name, argument, typed), { signal });
  return values.map((value) => `${argument}=${value}`);
}

async function resourcesOf(
  { remote }: ChatServer,
  part: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { list, templates } = resources(remote);
  const uris = (await once(list(), { signal })).map(({ uri }) => `@${uri}`);
  const values = (await once(templates(), { signal })).map(async ({ uriTemplate }) => {
    // The first variable of a template, after its beginning.
    const [, start = '', variable, rest = ''] = /^([^{]*)\{\+?(\w+)\}([^{]*)/.exec(uriTemplate) ?? [];
    if (variable === undefined || !part.startsWith(`@${start}`)) return [`@${start}`];
    const typed = part.slice(start.length + 1);
    const suggested = await once(completion(remote).template(uriTemplate, variable, typed), { signal });
    return suggested.values.map((value) => `@${start}${value}${rest}`);
  });
  return [...uris, ...(await Promise.all(values.map((each) => each.catch(() => [])))).flat()];
}
