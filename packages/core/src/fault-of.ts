import type { Context } from './context.js';
import type { Fault } from './faults.js';

/** A context that knows who collects the faults of what it is made for. */
export interface FaultingContext extends Context {
  readonly host: { fault(fault: Fault): void } | undefined;
}

/** Reports a fault of a handler to the server that runs it; nowhere with a context that is not served. */
export function faultOf(ctx: Context, fault: Fault): void {
  (ctx as Partial<FaultingContext>).host?.fault(fault);
}
