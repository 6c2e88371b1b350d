import type { JsonObject } from '@rxmcp/jsonrpc';
import type { SendOptions } from '@rxmcp/transport';
import { assert, equal } from '../base/assert.js';
import type { ConnectionProbe } from './connection-probe.js';
import type { Waiter } from '../base/pending-waits.js';

/** Sends a request and resolves with its result. */
export async function requestResult(
  harness: Waiter,
  end: ConnectionProbe,
  method: string,
  params: JsonObject = {},
  options: SendOptions = {},
): Promise<JsonObject> {
  const id = end.newId(method);
  await harness.within(end.request(id, method, params, options), `the send of "${method}"`);
  await harness.until(() => end.responses(id).length > 0, `the response to "${method}"`);
  const result = end.responses(id)[0]?.['result'];
  assert(typeof result === 'object' && result !== null, `"${method}" was answered without a result`);
  return result as JsonObject;
}

/** Fails unless a value is echoed by the other side. */
export async function expectEcho(harness: Waiter, end: ConnectionProbe): Promise<void> {
  const params = { ping: end.deliveries.length };
  const result = await requestResult(harness, end, 'tck/echo', params);
  equal(result, { echo: params }, 'the echo');
}
