import { once } from 'rxmcp';
import { resources } from 'rxmcp/resources';
import { inline } from '../../printable.js';
import type { Terminal } from '../../terminal.js';
import { type ChatServer, fromAll } from '../tool-set.js';

const maxChoices = 20;

/**
 * Lets the person choose a resource for each `@` or `@WORD` of a question, WORD being a part of its name or URI, and puts its URI there. Without a
 * person, and where no resource fits, the question stays as it is.
 */
export async function withPicked(
  question: string,
  servers: readonly ChatServer[],
  terminal: Terminal,
  signal: AbortSignal,
): Promise<string> {
  if (!terminal.isInteractive) return question;
  let whole = question;
  for (const [, word = ''] of question.matchAll(/(?<!\S)@([^\s:]*)(?!\S)/g)) {
    const found = await matching(word.toLowerCase(), servers, signal);
    if (found.length === 0) continue;
    const chosen = await choose(`Resources for @${word}`, found, terminal, signal);
    if (chosen !== undefined) whole = whole.replace(`@${word}`, () => `@${chosen.uri}`);
  }
  return whole;
}

interface Choice {
  readonly uri: string;
  readonly text: string;
}

async function matching(
  word: string,
  servers: readonly ChatServer[],
  signal: AbortSignal,
): Promise<readonly Choice[]> {
  const all = await fromAll(servers, async ({ name: server, remote }) => {
    const list = await once(resources(remote).list(), { signal });
    return list.map(({ uri, name, title = name }) => ({ uri, text: `${server}: ${uri} ${title}` }));
  });
  return all.filter(({ text }) => text.toLowerCase().includes(word));
}

/** Lets the person choose one of several items by its number; undefined = none. */
export function choose<Item extends { readonly text: string }>(
  heading: string,
  items: readonly Item[],
  terminal: Terminal,
  signal: AbortSignal,
): Promise<Item | undefined> {
  return terminal.talk(async () => {
    const shown = items.slice(0, maxChoices);
    terminal.say(`--- ${inline(heading)}:`);
    for (const [at, { text }] of shown.entries()) terminal.say(`${at + 1}. ${inline(text)}`);
    if (items.length > shown.length)
      terminal.say(`and ${items.length - shown.length} more: type a longer part`);
    const numbers = shown.length === 1 ? '1' : `1-${shown.length}`;
    const answer = await terminal.ask(`which one [${numbers}], or none [Enter]? `, signal);
    return shown[Number(answer?.trim() || 0) - 1];
  });
}
