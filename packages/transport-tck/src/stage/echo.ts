import type { Id, JsonObject } from '@rxmcp/jsonrpc';
import type { Envelope } from '@rxmcp/transport';
import type { End } from './end.js';
import type { Stage } from './stage.js';
import { assert, equal } from './verdict.js';

/** Asks and gives the one result. */
export async function resultOf(
  stage: Stage,
  end: End,
  method: string,
  params: JsonObject = {},
  envelope: Envelope = {},
): Promise<JsonObject> {
  const id: Id = `${method}#${String(end.deliveries.length)}`;
  const before = end.answers(id).length;
  await stage.within(end.ask(id, method, params, envelope), `the send of "${method}"`);
  await stage.until(() => end.answers(id).length > before, `the answer to "${method}"`);
  const result = end.answers(id)[before]?.['result'];
  assert(typeof result === 'object' && result !== null, `"${method}" was answered without a result`);
  return result as JsonObject;
}

/** The connection works: a value goes there and comes back. */
export async function echoes(stage: Stage, end: End): Promise<void> {
  const params = { ping: end.deliveries.length };
  const result = await resultOf(stage, end, 'tck/echo', params);
  equal(result, { echo: params }, 'the echo');
}
