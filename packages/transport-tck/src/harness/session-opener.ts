import type { JsonObject } from '@rxmcp/jsonrpc';
import { assert } from '../stage/assert.js';
import type { ConnectionProbe } from './connection-probe.js';
import type { SessionOpener } from './fixture.js';
import type { Waiter } from './pending-waits.js';

/** The dialling side as the `open` of a rig sees it: what it sends goes as it is. @param methods Takes what it sends. */
export function createSessionOpener(
  stage: Waiter,
  end: ConnectionProbe,
  methods: Set<unknown>,
): SessionOpener {
  const perRequest = end.connection.traits.lanes === 'per-request';
  return {
    async request(method, params, envelope = {}) {
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
    notify(method, params, envelope = {}) {
      methods.add(method);
      return end.sendBare({ jsonrpc: '2.0', method, params }, envelope);
    },
  };
}
