import type { Serving } from './serving.js';
import { shareOf } from './limits.js';

/** Whether this caller may open one more subscription on this connection. */
export function mayListen({ listens, limits, shares }: Serving, principal: string | undefined): boolean {
  if (listens === undefined) return limits.maxListens > 0;
  if (listens.size >= limits.maxListens) return false;
  if (shares === undefined) return true;
  let own = 0;
  for (const { exchange } of listens) if (exchange.caller.principal === principal) own += 1;
  return own < shareOf(shares, principal).maxListens;
}
