import type { JsonObject } from '@rxmcp/jsonrpc';
import type { Context, Offer } from '../../src/index.js';
import { defineOffer, sendAsk } from '../../src/internal.js';

/** What a tool does with its one ask, which is for the roots of the client. */
export type Asking = (ask: () => Promise<JsonObject>, ctx: Context) => Promise<JsonObject>;

/** A tool of a server that asks its client for roots. */
export function askingTool(run: Asking): Offer {
  const ask = (ctx: Context) => (): Promise<JsonObject> =>
    sendAsk(ctx, 'a', { method: 'roots/list', needs: { roots: {} } });
  return defineOffer({
    name: 'tools',
    side: 'server',
    capabilities: { tools: {} },
    methods: [{ method: 'tools/call', handle: (_params, ctx) => run(ask(ctx), ctx) }],
  });
}
