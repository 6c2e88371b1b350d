import type { Exchange } from '../peer/exchange.js';
import { unknownMethod } from '../stats/stats.js';
import type { ServerCore } from './core.js';

/** Has a request counted, where somebody counts. */
export function measure({ core }: { readonly core: ServerCore }, exchange: Exchange): void {
  const { meter, methods } = core;
  if (meter === undefined) return;
  const { method, params, caller } = exchange;
  exchange.measured = meter.begin(methods.has(method) ? method : unknownMethod, params, caller.principal);
}
