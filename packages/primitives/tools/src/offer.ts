import type { Context, JsonObject, Offer, Output, Subscribable } from '@rxmcp/core';
import { McpError } from '@rxmcp/core';
import type { LiveSet } from '@rxmcp/core/internal';
import { defineOffer, faultOf, later, listPages, liveSet, nearest, quoted } from '@rxmcp/core/internal';
import { runTool } from './run.js';
import type { Tool } from './tool.js';
import { partsOf } from './tool.js';
import { isObject } from './types.js';

/** Options of {@link offerTools}. */
export interface OfferToolsOptions {
  /** Entries per page of the list. @default all in one page */
  readonly pageSize?: number;
  /** How long a list or call waits for the first value of a live source, in milliseconds. @default 5_000 */
  readonly offerTimeoutMs?: number;
}

/**
 * Offers tools to clients (spec 2026-07-28 server/tools). A live source emits the whole set each time: a changed list is
 * announced, a list with a duplicate name is dropped with a fault, and after the end of the source its last list stays.
 * Throws a TypeError for a duplicate name in an array.
 */
export function offerTools(
  source: readonly Tool[] | Subscribable<readonly Tool[]>,
  options: OfferToolsOptions = {},
): Offer {
  const keyOf = (tool: Tool): string => {
    partsOf(tool);
    return tool.name;
  };
  const set = liveSet({
    name: 'tools',
    source,
    keyOf,
    content: (tools) => tools.map(({ info }) => info),
    timeoutMs: options.offerTimeoutMs,
  });
  const list = listPages({
    method: 'tools/list',
    member: 'tools',
    set,
    keyOf,
    entry: ({ info }) => info as JsonObject,
    pageSize: options.pageSize,
  });
  return defineOffer({
    name: 'tools',
    side: 'server',
    capabilities: { tools: set.live ? { listChanged: true } : {} },
    methods: [
      { method: 'tools/list', handle: list },
      { method: 'tools/call', handle: caller(set) },
    ],
    start: (host) => set.start(host, 'tools'),
  });
}

function caller(set: LiveSet<Tool>): (params: JsonObject, ctx: Context) => Output<JsonObject> {
  const told = new Set<string>();
  const call = (name: string, args: JsonObject, ctx: Context): Output<JsonObject> => {
    const found = set.get(name);
    if (found === undefined) throw unknown(name, set);
    if (partsOf(found).unchecked && !told.has(name)) {
      told.add(name);
      const message = `the input of tool "${name}" is raw JSON Schema: its arguments are not checked`;
      faultOf(ctx, { code: 'SCHEMA_UNCHECKED', message });
    }
    return runTool(found, args, ctx);
  };
  return (params, ctx) => {
    const { name, arguments: args = none } = params;
    if (typeof name !== 'string') throw new McpError('PARAMS_INVALID', 'tools/call: "name" must be a string');
    if (!isObject(args)) throw new McpError('PARAMS_INVALID', 'tools/call: "arguments" must be an object');
    const ready = set.ready();
    return ready instanceof Promise ? later(ready, () => call(name, args, ctx)) : call(name, args, ctx);
  };
}

const none: JsonObject = Object.freeze({});

function unknown(name: string, set: LiveSet<Tool>): McpError {
  const near = nearest(
    name,
    (set.current() ?? []).map((tool) => tool.name),
  );
  const hint = near === undefined ? '' : `, did you mean ${quoted(near)}?`;
  return new McpError('PARAMS_INVALID', `unknown tool ${quoted(name)}${hint}`);
}
