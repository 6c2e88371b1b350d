import { assert, equal } from '../../base/assert.js';
import { expectEcho, requestResult } from '../../harness/echo.js';
import type { ConnectionProbe } from '../../harness/connection-probe.js';
import { expectTransportError } from '../../harness/expectations.js';
import type { Harness } from '../../harness/harness.js';
import { all, requiresMessageLimit, requiresLocalServer } from '../skip-conditions.js';
import { onClient, onPair, type Rule } from '../rule.js';

/** Room for everything in a request of the kit but its padding. */
function frameBytes(harness: Harness): number {
  const { message } = harness.prepare({ jsonrpc: '2.0', id: 'id', method: 'tck/length', params: {} });
  return 256 + new TextEncoder().encode(JSON.stringify(message)).length;
}

export const limits: readonly Rule[] = [
  {
    id: 'limits/too-large',
    description:
      'A message over the limit rejects with TOO_LARGE and the outcome not-sent, and the connection stays open.',
    skipIf: requiresMessageLimit,
    verify: onClient(async (client, harness) => {
      await rejectsLarge(harness, client);
      await expectEcho(harness, client);
      for (const served of harness.accepted) {
        if (served.connection.traits.serverInitiates) await rejectsLarge(harness, served);
      }
      await expectEcho(harness, client);
      for (const end of [client, ...harness.accepted]) {
        equal(
          [end.notifications('big').length, end.faults.length],
          [0, 0],
          'large messages that arrived, and faults',
        );
      }
    }),
  },
  {
    id: 'limits/bytes-not-characters',
    description: 'The limit counts bytes of UTF-8, not characters.',
    skipIf: requiresMessageLimit,
    verify: onClient(async (client, harness) => {
      const { maxMessageBytes } = client.connection.traits;
      const pad = 'é'.repeat(Math.ceil(maxMessageBytes / 2));
      const error = await expectTransportError(harness, client.notify('big', { pad }), 'the large send');
      equal(error.code, 'TOO_LARGE', 'the code');
      await expectEcho(harness, client);
    }),
  },
  {
    id: 'limits/just-under',
    description: 'A message just under the limit arrives whole.',
    skipIf: requiresMessageLimit,
    verify: onClient(async (client, harness) => {
      const { maxMessageBytes } = client.connection.traits;
      const needed = frameBytes(harness);
      const tooSmall = `traits.maxMessageBytes is ${String(maxMessageBytes)}, and a request of the kit alone takes up to ${String(needed)}`;
      assert(maxMessageBytes >= needed, tooSmall);
      const length = maxMessageBytes - needed;
      equal(
        await requestResult(harness, client, 'tck/length', { pad: 'x'.repeat(length) }),
        { length },
        'what arrived',
      );
    }),
  },
  {
    id: 'limits/each-not-sum',
    description: 'The limit applies to one message: several messages together may exceed it.',
    skipIf: requiresMessageLimit,
    verify: onClient(async (client, harness) => {
      const length = Math.ceil(client.connection.traits.maxMessageBytes / 8);
      const pad = 'x'.repeat(length);
      const sends = Array.from({ length: 12 }, (_, id) => client.request(id, 'tck/length', { pad }));
      await harness.within(Promise.all(sends), '12 sends');
      await harness.untilCount(() => client.deliveries.length, 12, '12 responses');
      for (let id = 0; id < 12; id += 1) {
        equal(
          client.responses(id).map((response) => response['result']),
          [{ length }],
          `the responses to ${String(id)}`,
        );
      }
    }),
  },
  {
    id: 'limits/depth',
    description: 'A message nested 100 deep arrives whole.',
    skipIf: all(requiresLocalServer),
    verify: onPair(async ({ client, served }, harness) => {
      let nested: Record<string, unknown> = {};
      for (let depth = 0; depth < 98; depth += 1) nested = { nested };
      await client.notify('deep', nested);
      await harness.until(() => served.notifications('deep').length === 1, 'the message');
      equal(served.notifications('deep')[0], nested, 'the params');
    }),
  },
];

async function rejectsLarge(harness: Harness, from: ConnectionProbe): Promise<void> {
  const pad = 'x'.repeat(from.connection.traits.maxMessageBytes);
  const error = await expectTransportError(harness, from.notify('big', { pad }), 'the large send');
  equal([error.code, error.outcome], ['TOO_LARGE', 'not-sent'], 'code and outcome');
  equal(from.closes.length, 0, 'calls of closed()');
}
