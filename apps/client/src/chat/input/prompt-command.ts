import { once } from 'rxmcp';
import { type PromptInfo, type PromptMessage, prompts, untrusted } from 'rxmcp/prompts';
import type { SamplingMessage } from 'rxmcp/sampling';
import { missingOf, unlistedOf, withMissing } from '../../call-arguments/prompt-arguments.js';
import { exits } from '../../failure.js';
import type { Terminal } from '../../terminal.js';
import type { ChatEvent } from '../events.js';
import { ChatError } from '../chat-error.js';
import type { ChatServer } from '../tool-set.js';

/**
 * Runs a slash command such as `/server:prompt name=value`. Resolves with the turns of the prompt, for the model and as events. Missing required arguments are asked for at a
 * terminal. Rejects with a ChatError.
 */
export async function promptTurns(
  line: string,
  servers: readonly ChatServer[],
  terminal: Terminal,
  signal: AbortSignal,
): Promise<{ readonly turns: readonly SamplingMessage[]; readonly events: readonly ChatEvent[] }> {
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
  const events = messages.map(({ role, content }, at): ChatEvent => {
    const turn = { turn: at + 1, turns: messages.length, role, content };
    return { type: 'prompt', server: server.name, prompt: name, ...turn };
  });
  return { turns: messages.map((message) => turnOf(message)), events };
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
): Promise<Readonly<Record<string, string>>> {
  const doubt = unlistedOf(info, given);
  if (doubt !== '') terminal.tell(doubt);
  const missing = missingOf(info, given);
  if (missing.length > 0 && !terminal.asks) {
    const names = missing.map((name) => `${name}=...`).join(' ');
    throw new ChatError(`running "/${server.name}:${info.name}" failed: add ${names}`, exits.answered);
  }
  return withMissing(server.remote, info, given, { terminal, signal });
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
