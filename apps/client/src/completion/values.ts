import { type CallOptions, type JsonObject, type Remote, once } from 'rxmcp';
import { completion } from 'rxmcp/completion';
import { prompts } from 'rxmcp/prompts';
import { resources } from 'rxmcp/resources';
import { tools } from 'rxmcp/tools';
import type { WordSpec } from '../command.js';

/** What is asked of a server: the kind of word, what is typed of it, and the words before it. */
export interface Wanted {
  readonly suggests: Exclude<WordSpec['suggests'], 'commands' | undefined>;
  readonly typed: string;
  /** Of a tool or a prompt, whose name is the first of `before`. */
  readonly of: 'tools' | 'prompts';
  readonly before: readonly string[];
}

/** Asks a server for words that fit. */
export async function valuesOf(
  remote: Remote,
  wanted: Wanted,
  options: CallOptions,
): Promise<readonly string[]> {
  switch (wanted.suggests) {
    case 'tools':
      return (await once(tools(remote).list(options))).map(({ name }) => name);
    case 'prompts':
      return (await once(prompts(remote).list(options))).map(({ name }) => name);
    case 'resources':
      return uris(remote, wanted.typed, options);
    case 'arguments':
      return wanted.of === 'tools'
        ? toolArguments(remote, wanted, options)
        : promptArguments(remote, wanted, options);
  }
}

/** URIs of resources, and of templates whose last variable is typed. */
async function uris(remote: Remote, typed: string, options: CallOptions): Promise<readonly string[]> {
  const { list, templates } = resources(remote);
  const listed = (await once(list(options))).map(({ uri }) => uri);
  for (const { uriTemplate } of await once(templates(options))) {
    const [, start = '', variable = ''] = /^([^{]*)\{(\w+)\}$/.exec(uriTemplate) ?? [];
    if (variable === '' || !typed.startsWith(start)) continue;
    const { template } = completion(remote);
    const found = await once(template(uriTemplate, variable as never, typed.slice(start.length), options));
    return [...listed, ...found.values.map((value) => start + value)];
  }
  return listed;
}

async function promptArguments(
  remote: Remote,
  { typed, before: [name = '', ...others] }: Wanted,
  options: CallOptions,
): Promise<readonly string[]> {
  const given = pairsOf(others);
  const [argument, value] = pairOf(typed);
  if (value !== undefined) {
    const suggested = await once(
      completion(remote).prompt(name, argument, value, { ...options, arguments: given }),
    );
    return suggested.values.map((each) => `${argument}=${each}`);
  }
  const prompt = (await once(prompts(remote).list(options))).find((each) => each.name === name);
  return (prompt?.arguments ?? [])
    .map((each) => each.name)
    .flatMap((each) => (each in given ? [] : [`${each}=`]));
}

async function toolArguments(
  remote: Remote,
  { typed, before: [name, ...others] }: Wanted,
  options: CallOptions,
): Promise<readonly string[]> {
  const tool = (await once(tools(remote).list(options))).find((each) => each.name === name);
  const properties = (tool?.inputSchema['properties'] ?? {}) as Readonly<Record<string, JsonObject>>;
  const [argument, value] = pairOf(typed);
  if (value === undefined) {
    const given = pairsOf(others);
    return Object.keys(properties).flatMap((each) => (each in given ? [] : [`${each}=`]));
  }
  const { enum: values, type } = properties[argument] ?? {};
  const known = Array.isArray(values) ? values : type === 'boolean' ? [true, false] : [];
  return known.filter((each) => typeof each !== 'object').map((each) => `${argument}=${String(each)}`);
}

function pairOf(word: string): readonly [name: string, value: string | undefined] {
  const at = word.indexOf('=');
  return at === -1 ? [word, undefined] : [word.slice(0, at).replace(/:$/, ''), word.slice(at + 1)];
}

function pairsOf(words: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    words.map(pairOf).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
