import type { Context } from './context.js';

/** Something that went wrong and ended nothing: a bad frame, a throwing handler, a dropped message. */
export interface Fault {
  /** Stable UPPER_SNAKE code. */
  readonly code: string;
  readonly message: string;
  readonly cause?: unknown;
  /** The number that a general error text of a handler refers to. */
  readonly reference?: string;
  /** It is worth knowing and no trouble: told to who watches, and not printed where nobody does. @default false */
  readonly quiet?: boolean;
}

/** A context that knows who collects the faults of what it is made for. */
export interface FaultReportingContext extends Context {
  readonly host: { fault(fault: Fault): void } | undefined;
}

/** Reports a fault of a handler to the server that runs it; nowhere with a context that is not served. */
export function reportFault(ctx: Context, fault: Fault): void {
  (ctx as Partial<FaultReportingContext>).host?.fault(fault);
}

/** Ends one thing. What that throws becomes a fault: everything else has to be ended all the same. */
export function tearDown(stop: () => void, what: string, host: { fault(fault: Fault): void }): void {
  try {
    stop();
  } catch (cause) {
    host.fault({ code: 'HANDLER_FAILED', message: `tearing down ${what} threw`, cause });
  }
}
