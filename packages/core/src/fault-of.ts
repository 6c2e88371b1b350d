import type { Context } from './context.js';
import type { Fault } from './faults.js';

/** Reports a fault of a handler to the server that runs it. */
export function faultOf(ctx: Context, fault: Fault): void {
  (ctx as { readonly host?: { fault(fault: Fault): void } }).host?.fault(fault);
}
