import type { JsonObject } from '@rxmcp/jsonrpc';
import { assert } from '../base/assert.js';
import type { ConnectionProbe } from './connection-probe.js';
import type { SessionOpener } from '../fixture/fixture.js';
import type { Waiter } from '../base/pending-waits.js';

/** Returns what `openSession` of a fixture sends with: messages are sent unchanged. @param methods Collects their methods. */
export function createSessionOpener(
  harness: Waiter,
  end: ConnectionProbe,
  methods: Set<unknown>,
): SessionOpener {
  const perRequest = end.connection.traits.lanes === 'per-request';
  return {
    async request(method, params, options = {}) {
      methods.add(method);
      const id = end.newId(method);
      const lane = perRequest ? { lane: {} } : {};
      await end.sendBare({ jsonrpc: '2.0', id, method, params }, { ...lane, ...options });
      await harness.until(
        () => end.responses(id).length > 0,
        `the response to "${method}", which opens the session`,
      );
      const result = end.responses(id)[0]?.['result'];
      assert(typeof result === 'object' && result !== null, `"${method}" was answered without a result`);
      return result as JsonObject;
    },
    notify(method, params, options = {}) {
      methods.add(method);
      return end.sendBare({ jsonrpc: '2.0', method, params }, options);
    },
  };
}
