import type { JsonObject } from '@rxmcp/jsonrpc';
import { assert } from './assert.js';
import type { End } from './end.js';
import type { Opener } from './rig.js';
import type { Waiter } from './waits.js';

/** The dialling side as the `open` of a rig sees it: what it sends goes as it is. @param methods Takes what it sends. */
export function openerOf(stage: Waiter, end: End, methods: Set<unknown>): Opener {
  const perRequest = end.connection.traits.lanes === 'per-request';
  return {
    async ask(method, params, envelope = {}) {
      methods.add(method);
      const id = end.newId(method);
      const lane = perRequest ? { lane: {} } : {};
      await end.sendBare({ jsonrpc: '2.0', id, method, params }, { ...lane, ...envelope });
      await stage.until(
        () => end.answers(id).length > 0,
        `the answer to "${method}", which opens the session`,
      );
      const result = end.answers(id)[0]?.['result'];
      assert(typeof result === 'object' && result !== null, `"${method}" was answered without a result`);
      return result as JsonObject;
    },
    tell(method, params, envelope = {}) {
      methods.add(method);
      return end.sendBare({ jsonrpc: '2.0', method, params }, envelope);
    },
  };
}
