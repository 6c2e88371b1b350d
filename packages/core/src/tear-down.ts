import type { Fault } from './faults.js';

/** Ends one thing. What that throws becomes a fault: everything else has to be ended all the same. */
export function tearDown(stop: () => void, what: string, host: { fault(fault: Fault): void }): void {
  try {
    stop();
  } catch (cause) {
    host.fault({ code: 'HANDLER_FAILED', message: `tearing down ${what} threw`, cause });
  }
}
