import type { Context } from './context.js';

/** Something that went wrong and ended nothing, such as an invalid message, a handler that threw or a dropped message. */
export interface Fault {
  /** A stable code in upper snake case. `docs/reference/errors.md` lists all codes. */
  readonly code: string;
  readonly message: string;
  readonly cause?: unknown;
  /** The reference number in the general error text that the caller received. */
  readonly reference?: string;
  /**
   * Whether this is information rather than a problem. Subscribers receive it; without a subscriber it is not
   * printed. @default false
   */
  readonly quiet?: boolean;
}

/** A context that can report faults. */
export interface FaultReportingContext extends Context {
  readonly host: { fault(fault: Fault): void } | undefined;
}

/** Reports a fault to the server that runs a handler. Does nothing if the context is not from a server. */
export function reportFault(ctx: Context, fault: Fault): void {
  (ctx as Partial<FaultReportingContext>).host?.fault(fault);
}

/** Calls a teardown function and reports an error that it throws as a fault, so that the other teardowns still run. */
export function tearDown(stop: () => void, what: string, host: { fault(fault: Fault): void }): void {
  try {
    stop();
  } catch (cause) {
    host.fault({ code: 'HANDLER_FAILED', message: `tearing down ${what} threw`, cause });
  }
}
