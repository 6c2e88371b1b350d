import { byLastModified, byPriority, forAudience, once } from 'rxmcp';
import { type ResourceInfo, resources } from 'rxmcp/resources';
import { describeError } from '@rxmcp/app-serving/describe-error';
import { exits } from '../failure.js';
import { ChatError } from './chat-error.js';
import { contentsText, tokensIn } from './contents-text.js';
import type { ChatEvent } from './events.js';
import { type ChatServer, fromAll } from './tool-set.js';

/** Resources for the model, as text, and the events that name them. */
export interface Context {
  readonly text: string;
  readonly events: readonly ChatEvent[];
}

/** The most resources that `--auto` reads for one question. */
const maxAutoReads = 20;
/** An estimate. */
const bytesPerToken = 4;

/** Reads the resources that a question names as `@uri`. Rejects with a ChatError for one that cannot be read. */
export async function namedContext(
  question: string,
  servers: readonly ChatServer[],
  signal: AbortSignal,
): Promise<Context> {
  const parts: { text: string; event: ChatEvent }[] = [];
  for (const [, word = ''] of question.matchAll(/(?<!\S)@(\S+:\S+)/g)) {
    // Punctuation after a URI belongs to the sentence, unless there is no such resource.
    const uri = word.replace(/[?.,;:!)]+$/, '');
    parts.push(
      await readFirst(uri, servers, signal).catch((error: unknown) => {
        if (uri === word || signal.aborted) throw error;
        return readFirst(word, servers, signal).catch(() => Promise.reject(error as Error));
      }),
    );
  }
  return { text: parts.map(({ text }) => text).join('\n'), events: parts.map(({ event }) => event) };
}

async function readFirst(
  uri: string,
  servers: readonly ChatServer[],
  signal: AbortSignal,
): Promise<{ text: string; event: ChatEvent }> {
  const offering = servers.filter(({ remote }) => 'resources' in remote.capabilities);
  let problem = 'no server of this chat has resources';
  for (const { name, remote } of offering) {
    try {
      const text = contentsText(await once(resources(remote).read(uri), { signal }));
      return { text, event: { type: 'context', server: name, uri, by: 'question', tokens: tokensIn(text) } };
    } catch (error) {
      if (signal.aborted) throw error;
      problem = `${name}: ${describeError(error)}`;
    }
  }
  throw new ChatError(`reading "${uri}" failed: ${problem}. /resources lists what there is`, exits.answered);
}

/**
 * Chooses resources by rule, within a budget: those for the model (`audience`), the highest `priority` first, then the latest
 * (`lastModified`), then the smallest (`size`). What does not fit is left out.
 */
export async function autoContext(
  servers: readonly ChatServer[],
  maxTokens: number,
  signal: AbortSignal,
): Promise<Context> {
  const all = await fromAll(servers, async (server) => {
    const list = await once(resources(server.remote).list(), { signal });
    return list.map((info) => ({ ...info, server }));
  });
  const ranked = all.filter(forAudience('assistant')).sort(byRank);
  const texts: string[] = [];
  const events: ChatEvent[] = [];
  let left = maxTokens;
  const fitting = ranked.filter(({ size = 0 }) => size <= maxTokens * bytesPerToken).slice(0, maxAutoReads);
  for (const { server, uri, size = 0 } of fitting) {
    if (size > left * bytesPerToken) continue;
    const text = await once(resources(server.remote).read(uri), { signal }).then(
      contentsText,
      () => undefined,
    );
    if (text === undefined || tokensIn(text) > left) continue;
    left -= tokensIn(text);
    texts.push(text);
    events.push({ type: 'context', server: server.name, uri, by: 'auto', tokens: tokensIn(text) });
  }
  return { text: texts.join('\n'), events };
}

function byRank(one: ResourceInfo, other: ResourceInfo): number {
  return (
    byPriority(one, other) ||
    byLastModified(one, other) ||
    (one.size ?? Infinity) - (other.size ?? Infinity) ||
    0
  );
}
