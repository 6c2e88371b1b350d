import { defineServer, RpcError } from 'rxmcp';
import { authorize, rateLimit } from 'rxmcp/interceptors';
import { offerResources, template } from 'rxmcp/resources';
import { offerTools, text, tool, ToolError } from 'rxmcp/tools';
import * as z from 'zod';
import { items, price } from './price.js';

const item = z.enum(items);
const quantity = z.number().int().min(1).max(1_000);

/**
 * What the shop offers. `stockOf(item, signal)` says how many pieces the warehouse has, and is given up after `waitMs`; `receipts`
 * are texts by their number.
 */
export function offers({ stockOf, receipts = new Map(), waitMs = 5_000 } = {}) {
  const quote = tool('quote', { input: z.object({ item, quantity }) }, ({ item, quantity }) =>
    text(`${price(item, quantity)} cents`),
  );
  const order = tool('order', { input: z.object({ item, quantity }) }, async ({ item, quantity }, ctx) => {
    const late = AbortSignal.timeout(waitMs);
    const pieces = await stockOf(item, AbortSignal.any([ctx.signal, late])).catch((error) => {
      throw late.aborted ? new ToolError('the warehouse does not answer') : error;
    });
    if (pieces < quantity) throw new ToolError(`only ${pieces} left of ${item}`);
    return text(`ordered for ${price(item, quantity)} cents`);
  });
  const receipt = template('receipt:///{number}', { mimeType: 'text/plain' }, ({ number }) => {
    if (!/^\d{1,8}$/.test(number)) throw new RpcError(-31201, 'a receipt has a number of at most 8 digits');
    return receipts.get(number) ?? null;
  });
  return [offerTools([quote, order]), offerResources([receipt])];
}

/** The shop as it is served: only `clerk` may order, and nobody calls more often than `callsPerMinute`. */
export function shop({ callsPerMinute = 100_000, ...options } = {}) {
  const allow = ({ principal }, kind, name) => kind !== 'tool' || name !== 'order' || principal === 'clerk';
  return defineServer({
    info: { name: 'shop', version: '1.0.0' },
    offers: offers(options),
    interceptors: [rateLimit({ limit: callsPerMinute, windowMs: 60_000 }), authorize({ allow })],
  });
}
