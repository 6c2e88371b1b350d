import type { JsonObject } from '@rxmcp/jsonrpc';
import type { Envelope } from '@rxmcp/transport';
import { assert, equal } from './assert.js';
import type { End } from './end.js';
import type { Waiter } from './waits.js';

/** Asks and gives the one result. */
export async function resultOf(
  stage: Waiter,
  end: End,
  method: string,
  params: JsonObject = {},
  envelope: Envelope = {},
): Promise<JsonObject> {
  const id = end.newId(method);
  await stage.within(end.ask(id, method, params, envelope), `the send of "${method}"`);
  await stage.until(() => end.answers(id).length > 0, `the answer to "${method}"`);
  const result = end.answers(id)[0]?.['result'];
  assert(typeof result === 'object' && result !== null, `"${method}" was answered without a result`);
  return result as JsonObject;
}

/** The connection works: a value goes there and comes back. */
export async function echoes(stage: Waiter, end: End): Promise<void> {
  const params = { ping: end.deliveries.length };
  const result = await resultOf(stage, end, 'tck/echo', params);
  equal(result, { echo: params }, 'the echo');
}
