import type { JsonObject } from '@rxmcp/jsonrpc';
import { RxmcpError } from '../base/errors.js';
import type { Ask } from '../contract/ask.js';
import { capabilityNames, missingCapabilities } from '../contract/capability-needs.js';
import type { PendingExchange } from '../peer/exchange-contract.js';

/**
 * Creates the error for an ask that cannot be sent to the client.
 * @param why - ends the message, such as `: the client did not declare roots`
 */
export function askUnavailable(method: string, why: string, data?: JsonObject): RxmcpError {
  const message = `"${method}" cannot be asked${why}`;
  return new RxmcpError('ASK_UNAVAILABLE', message, { data });
}

/** Returns the error for an ask that needs what the client did not declare; undefined if it declared all. */
export function undeclared({ method, needs }: Ask, { caller }: PendingExchange): RxmcpError | undefined {
  const requiredCapabilities = missingCapabilities(needs, caller.capabilities);
  if (requiredCapabilities === undefined) return undefined;
  const why = `: the client did not declare ${capabilityNames(requiredCapabilities)}`;
  return askUnavailable(method, why, { requiredCapabilities });
}
