import type { Context, JsonObject, Offer, Output, Subscribable } from '@rxmcp/core';
import { faultOf, namedOffer } from '@rxmcp/core/internal';
import { runTool } from './run.js';
import type { Tool } from './tool.js';
import { partsOf } from './tool.js';

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
  return namedOffer({
    name: 'tools',
    kind: 'tool',
    method: 'tools/call',
    source,
    check: (tool) => void partsOf(tool),
    use: caller(),
    mirrored: (tool) => partsOf(tool).mirrored,
    pageSize: options.pageSize,
    timeoutMs: options.offerTimeoutMs,
  });
}

/** Runs tools, and says once of each whose arguments nobody checks. */
function caller(): (tool: Tool, args: JsonObject, ctx: Context) => Output<JsonObject> {
  const told = new Set<string>();
  return (tool, args, ctx) => {
    const { name } = tool;
    if (partsOf(tool).unchecked && !told.has(name)) {
      told.add(name);
      const message = `the input of tool "${name}" is raw JSON Schema: its arguments are not checked`;
      faultOf(ctx, { code: 'SCHEMA_UNCHECKED', message });
    }
    return runTool(tool, args, ctx);
  };
}
