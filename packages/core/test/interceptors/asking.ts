import { sendAsk, defineOffer } from '../../src/internal.js';

/** A tool of a server that asks its client for roots, and returns the answer. */
export const asking = defineOffer({
  name: 'asking',
  side: 'server',
  capabilities: { tools: {} },
  methods: [
    {
      method: 'tools/call',
      handle: (_params, ctx) => sendAsk(ctx, 'a', { method: 'roots/list', needs: { roots: {} } }),
    },
  ],
});

/** The client's answer. */
export const roots = defineOffer({
  name: 'roots',
  side: 'client',
  capabilities: { roots: {} },
  methods: [{ method: 'roots/list', handle: () => ({ roots: [] }) }],
});
