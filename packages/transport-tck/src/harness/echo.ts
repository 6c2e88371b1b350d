import type { JsonObject } from '@rxmcp/jsonrpc';
import type { SendOptions } from '@rxmcp/transport';
import { assert, equal } from '../stage/assert.js';
import type { ConnectionProbe } from './connection-probe.js';
import type { Waiter } from './pending-waits.js';

/** Asks and gives the one result. */
export async function requestResult(
  stage: Waiter,
  end: ConnectionProbe,
  method: string,
  params: JsonObject = {},
  envelope: SendOptions = {},
): Promise<JsonObject> {
  const id = end.newId(method);
  await stage.within(end.request(id, method, params, envelope), `the send of "${method}"`);
  await stage.until(() => end.answers(id).length > 0, `the answer to "${method}"`);
  const result = end.answers(id)[0]?.['result'];
  assert(typeof result === 'object' && result !== null, `"${method}" was answered without a result`);
  return result as JsonObject;
}

/** The connection works: a value goes there and comes back. */
export async function expectEcho(stage: Waiter, end: ConnectionProbe): Promise<void> {
  const params = { ping: end.deliveries.length };
  const result = await requestResult(stage, end, 'tck/echo', params);
  equal(result, { echo: params }, 'the echo');
}
