import type { Server } from 'rxmcp';
import { defineServer, offerMethod, offerNotification } from 'rxmcp';
import * as z from 'zod';

/** Methods that no revision knows, in both directions, announced as `experimental` and as an extension. */
export function ownMethods(): Server {
  let pings = 0;
  return defineServer({
    info: { name: 'own', version: '1.0.0' },
    offers: [
      offerMethod('example.com/double', { params: z.object({ value: z.number() }) }, ({ value }) => ({
        doubled: value * 2,
      })),
      offerMethod('example.com/tell', {}, (_params, ctx) => {
        ctx.notify('example.com/told', { 消息: '好' });
        return {};
      }),
      offerMethod('example.com/back', {}, async (_params, ctx) => ({
        answer: await ctx.request('example.com/colour', { of: 'sky' }),
      })),
      offerMethod('example.com/pings', {}, () => ({ pings })),
      offerMethod('example.com/caller', {}, (_params, { caller }) => ({ declared: caller.capabilities })),
      offerNotification('example.com/ping', ({ times }) => {
        pings += Number(times);
      }),
    ],
    experimental: { 'example.com/tell': { level: 1 } },
    extensions: { 'com.example/double': { max: 10 } },
  });
}
