import { once } from 'rxmcp';
import { completion } from 'rxmcp/completion';
import { type PromptInfo, type PromptMessage, prompts, untrusted } from 'rxmcp/prompts';
import type { SamplingMessage } from 'rxmcp/sampling';
import { exits } from '../failure.js';
import { inline } from '../printable.js';
import type { Terminal } from '../terminal.js';
import { ChatError } from './chat-error.js';
import type { ChatServer } from './tool-set.js';

/**
 * Runs a slash command such as `/server:prompt name=value` and returns the turns of the prompt. Missing required arguments are asked for at a
 * terminal. Rejects with a ChatError.
 */
export async function promptTurns(
  line: string,
  servers: readonly ChatServer[],
  terminal: Terminal,
  signal: AbortSignal,
): Promise<readonly SamplingMessage[]> {
  const { server, name, rest } = parsed(line, servers);
  const list = server === undefined ? [] : await once(prompts(server.remote).list(), { signal });
  const info = list.find((one) => one.name === name);
  if (server === undefined || info === undefined)
    throw new ChatError(
      `running "${line.split(/\s/, 1)[0]}" failed: no server has this prompt. /prompts lists them`,
      exits.answered,
    );
  const args = await filled(info, argumentsOf(rest), server, terminal, signal);
  const { messages } = await once(prompts(server.remote).get(name, args), { signal });
  return messages.map((message) => turnOf(message));
}

/** Divides a line at the name of a server: a name may contain colons, such as that of a port. */
function parsed(
  line: string,
  servers: readonly ChatServer[],
): { readonly server: ChatServer | undefined; readonly name: string; readonly rest: string } {
  const [server] = servers
    .filter((one) => line.startsWith(`/${one.name}:`))
    .sort((one, other) => other.name.length - one.name.length);
  const [, name = '', rest = ''] =
    /^(\S+)\s*(.*)$/s.exec(server === undefined ? '' : line.slice(server.name.length + 2)) ?? [];
  return { server, name, rest };
}

/** Reads `name=value` pairs; a value with spaces is in double quotes. */
function argumentsOf(text: string): Record<string, string> {
  const pairs = text.matchAll(/(\S+?)=(?:"([^"]*)"|(\S*))/g);
  return Object.fromEntries(
    [...pairs].map(([, name = '', inQuotes, word]) => [name, inQuotes ?? word ?? '']),
  );
}

async function filled(
  info: PromptInfo,
  given: Readonly<Record<string, string>>,
  server: ChatServer,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<Record<string, string>> {
  const args = { ...given };
  const missing = (info.arguments ?? []).filter(({ name, required }) => required === true && !(name in args));
  if (missing.length > 0 && !terminal.asks) {
    const names = missing.map(({ name }) => `${name}=...`).join(' ');
    throw new ChatError(`running "/${server.name}:${info.name}" failed: add ${names}`, exits.answered);
  }
  for (const { name, description = '' } of missing) {
    const hints = await suggested(info.name, name, args, server, signal);
    const shown = inline(`${name}${description === '' ? '' : ` (${description})`}${hints}`);
    const value = await terminal.line(`${shown}: `, signal);
    if (value === undefined) throw new ChatError('no argument was given', exits.answered);
    args[name] = value;
  }
  return args;
}

async function suggested(
  prompt: string,
  argument: string,
  known: Readonly<Record<string, string>>,
  { remote }: ChatServer,
  signal: AbortSignal,
): Promise<string> {
  if (!('completions' in remote.capabilities)) return '';
  const asked = completion(remote).prompt(prompt, argument, '', { arguments: known });
  const { values } = await once(asked, { signal }).catch(() => ({ values: [] as string[] }));
  return values.length === 0 ? '' : ` such as ${values.slice(0, 5).join(', ')}`;
}

function turnOf({ role, content }: PromptMessage): SamplingMessage {
  switch (content.type) {
    case 'text':
    case 'image':
    case 'audio':
      return { role, content };
    case 'resource': {
      const { uri, text = '(binary)' } = content.resource;
      return { role, content: { type: 'text', text: untrusted(text, { source: uri }) } };
    }
    case 'resource_link':
      return { role, content: { type: 'text', text: `The resource ${content.uri}` } };
  }
}
