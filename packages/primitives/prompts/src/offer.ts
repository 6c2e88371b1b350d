import type { Context, JsonObject, Offer, Output, Subscribable } from '@rxmcp/core';
import { McpError } from '@rxmcp/core';
import type { LiveSet } from '@rxmcp/core/internal';
import { defineOffer, later, listPages, liveSet, nearest, quoted } from '@rxmcp/core/internal';
import { fillPrompt } from './fill.js';
import type { Prompt } from './prompt.js';
import { partsOf } from './prompt.js';
import { isObject } from './types.js';

/** Options of {@link offerPrompts}. */
export interface OfferPromptsOptions {
  /** Entries per page of the list. @default all in one page */
  readonly pageSize?: number;
  /** How long a list or request waits for the first value of a live source, in milliseconds. @default 5_000 */
  readonly offerTimeoutMs?: number;
}

/**
 * Offers prompts to clients (spec 2026-07-28 server/prompts). A live source emits the whole set each time: a changed list
 * is announced, a list with a duplicate name is dropped with a fault, and after the end of the source its last list stays.
 * Throws a TypeError for a duplicate name in an array.
 */
export function offerPrompts(
  source: readonly Prompt[] | Subscribable<readonly Prompt[]>,
  options: OfferPromptsOptions = {},
): Offer {
  const keyOf = (prompt: Prompt): string => {
    partsOf(prompt);
    return prompt.name;
  };
  const set = liveSet({
    name: 'prompts',
    source,
    keyOf,
    content: (prompts) => prompts.map(({ info }) => info),
    timeoutMs: options.offerTimeoutMs,
  });
  const list = listPages({
    method: 'prompts/list',
    member: 'prompts',
    set,
    keyOf,
    entry: ({ info }) => info as JsonObject,
    pageSize: options.pageSize,
  });
  return defineOffer({
    name: 'prompts',
    side: 'server',
    capabilities: { prompts: set.live ? { listChanged: true } : {} },
    methods: [
      { method: 'prompts/list', handle: list },
      { method: 'prompts/get', handle: getter(set) },
    ],
    start: (host) => set.start(host, 'prompts'),
  });
}

function getter(set: LiveSet<Prompt>): (params: JsonObject, ctx: Context) => Output<JsonObject> {
  const get = (name: string, args: JsonObject, ctx: Context): Output<JsonObject> => {
    const found = set.get(name);
    if (found === undefined) throw unknown(name, set);
    return fillPrompt(found, args, ctx);
  };
  return (params, ctx) => {
    const { name, arguments: args = none } = params;
    if (typeof name !== 'string')
      throw new McpError('PARAMS_INVALID', 'prompts/get: "name" must be a string');
    if (!isObject(args)) throw new McpError('PARAMS_INVALID', 'prompts/get: "arguments" must be an object');
    const ready = set.ready();
    return ready instanceof Promise ? later(ready, () => get(name, args, ctx)) : get(name, args, ctx);
  };
}

const none: JsonObject = Object.freeze({});

function unknown(name: string, set: LiveSet<Prompt>): McpError {
  const near = nearest(
    name,
    (set.current() ?? []).map((prompt) => prompt.name),
  );
  const hint = near === undefined ? '' : `, did you mean ${quoted(near)}?`;
  return new McpError('PARAMS_INVALID', `unknown prompt ${quoted(name)}${hint}`);
}
