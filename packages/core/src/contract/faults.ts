import { singleLine } from '../base/message-text.js';
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
  readonly host: FaultHost | undefined;
}

/** Where a handler runs. */
export interface FaultHost {
  fault(fault: Fault): void;
  /** Returns the text of a handler's error that its caller may read. Absent if callers read a general text. */
  readonly exposeErrors?: ((error: unknown) => string) | undefined;
}

/** Reports a fault to the server that runs a handler. Does nothing if the context is not from a server. */
export function reportFault(ctx: Context, fault: Fault): void {
  (ctx as Partial<FaultReportingContext>).host?.fault(fault);
}

/**
 * Reports a handler that failed as a fault with a reference number. Returns what the caller may read: the number, and the text
 * of the error if the server exposes it.
 * @param what - the handler, at the beginning of a message
 */
export function reportFailedHandler(
  ctx: { readonly host?: FaultHost | undefined },
  what: string,
  cause: unknown,
): { readonly reference: string; readonly exposed: string | undefined } {
  const reference = Math.floor(Math.random() * 0x100000000)
    .toString(16)
    .padStart(8, '0');
  const message = `${what} failed: ${singleLine(thrownText(cause))}`;
  ctx.host?.fault({ code: 'HANDLER_FAILED', message, cause, reference });
  try {
    return { reference, exposed: ctx.host?.exposeErrors?.(cause) };
  } catch (failure) {
    ctx.host?.fault({ code: 'HANDLER_FAILED', message: '"exposeErrors" threw', cause: failure });
    return { reference, exposed: undefined };
  }
}

/** Returns the text of a thrown value. Anything can be thrown, including values that cannot be converted to a string. */
export function thrownText(cause: unknown): string {
  try {
    return cause instanceof Error ? cause.message : String(cause);
  } catch {
    return `something of type ${typeof cause}`;
  }
}

/** Calls a teardown function and reports an error that it throws as a fault, so that the other teardowns still run. */
export function tearDown(stop: () => void, what: string, host: { fault(fault: Fault): void }): void {
  try {
    stop();
  } catch (cause) {
    host.fault({ code: 'HANDLER_FAILED', message: `tearing down ${what} threw`, cause });
  }
}
