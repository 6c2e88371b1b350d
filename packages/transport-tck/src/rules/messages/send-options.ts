import { type JsonObject, type JsonRpcMessage, EncodedMessage } from '@rxmcp/jsonrpc';
import type { RejectionReason } from '@rxmcp/transport';
import { assert, equal } from '../../base/assert.js';
import { quiet } from '../../base/clock.js';
import { expectEcho, requestResult } from '../../harness/echo.js';
import type { ConnectionProbe } from '../../harness/connection-probe.js';
import { expectTransportError } from '../../harness/expectations.js';
import type { Harness } from '../../harness/harness.js';
import { requiresLocalServer, requiresHeaders, requiresRedial } from '../skip-conditions.js';
import { onClient, onPair, type Rule } from '../rule.js';

const rejections: readonly RejectionReason[] = [
  'malformed',
  'unknown-method',
  'unsupported-version',
  'header-mismatch',
  'missing-capability',
  'insufficient-scope',
  'overloaded',
];

export const options: readonly Rule[] = [
  {
    id: 'send-options/values',
    description: 'Every JSON value arrives as it was sent.',
    verify: onClient(async (client, harness) => {
      const params = {
        text: 'é \u{1f600} \u2028 \u0000 \r\n " \\ </script>',
        numbers: [0, -1, 1.5, 1e300, Number.MAX_SAFE_INTEGER],
        empty: [null, false, '', {}, []],
        toString: 'own',
        constructor: { prototype: 1 },
      };
      equal(await requestResult(harness, client, 'tck/echo', params), { echo: params }, 'the echo');
    }),
  },
  {
    id: 'send-options/unknown-members',
    description: 'Unknown members of a message are delivered.',
    skipIf: requiresLocalServer,
    verify: onPair(async ({ client, served }, harness) => {
      const odd = { jsonrpc: '2.0', method: 'odd', params: {}, extension: { kept: true } } as const;
      await client.send(odd as JsonRpcMessage);
      await harness.until(() => served.deliveries.length === 1, 'the message');
      equal(served.deliveries[0]?.incoming, harness.prepare(odd as JsonRpcMessage).message, 'the message');
    }),
  },
  {
    id: 'send-options/isolated',
    description: 'Changing a message after its send or its delivery does not change it on the other side.',
    skipIf: requiresLocalServer,
    verify: onPair(async ({ client, served }, harness) => {
      await isolated(harness, client, served);
      if (served.connection.traits.serverInitiates) await isolated(harness, served, client);
    }),
  },
  {
    id: 'send-options/encoded',
    description: 'An encoded message arrives on every connection on which it is sent, each time as a copy.',
    skipIf: requiresRedial,
    async verify(harness: Harness): Promise<void> {
      const params = { shared: true };
      const { message } = harness.prepare({ jsonrpc: '2.0', id: 'once', method: 'tck/echo', params });
      const out = new EncodedMessage(JSON.stringify(message));
      for (let round = 0; round < 2; round += 1) {
        const client = await harness.open();
        const lane = client.connection.traits.lanes === 'per-request' ? { lane: {} } : {};
        await client.send(out, lane);
        await harness.until(() => client.responses('once').length === 1, 'the response');
        equal(client.responses('once')[0]?.['result'], { echo: { shared: true } }, 'the result');
      }
      const [first, second] = harness.accepted.flatMap(({ deliveries }) =>
        deliveries.map(({ incoming }) => incoming),
      );
      assert(first === undefined || first !== second, 'two receivers were handed the same object');
    },
  },
  {
    id: 'send-options/aborted-signal',
    description:
      'A send with an aborted signal rejects with the outcome not-sent, and the connection stays open.',
    verify: onClient(async (client, harness) => {
      const params = { aborted: true };
      const send = client.request('aborted', 'tck/echo', params, { signal: AbortSignal.abort() });
      const error = await expectTransportError(harness, send, 'the aborted send');
      equal(error.outcome, 'not-sent', 'the outcome');
      await expectEcho(harness, client);
      equal(client.responses('aborted').length, 0, 'responses to the aborted request');
    }),
  },
  {
    id: 'send-options/rejections',
    description: 'An error response arrives unchanged, whatever its rejection reason.',
    verify: onClient(async (client, harness) => {
      for (const [index, rejection] of rejections.entries()) {
        await client.request(index, 'tck/reject', { rejection, code: -31_500 - index });
        await harness.until(() => client.responses(index).length === 1, `the rejection "${rejection}"`);
        const error = { code: -31_500 - index, message: `rejected: ${rejection}` };
        equal(client.responses(index)[0]?.['error'], error, `the rejection "${rejection}"`);
      }
      await expectEcho(harness, client);
    }),
  },
  {
    id: 'send-options/hints',
    description: 'Send options that a transport does not use have no effect.',
    verify: onClient(async (client, harness) => {
      await requestResult(harness, client, 'tck/echo', {}, { version: '2025-11-25' });
      await quiet();
      equal([client.faults.length, client.closes.length], [0, 0], 'faults and ends');
    }),
  },
  {
    id: 'send-options/headers',
    description: 'The message headers arrive with the message.',
    skipIf: requiresHeaders,
    verify: onClient(async (client, harness) => {
      const headers = { version: '2026-07-28', method: 'tck/arrival' };
      const result = await requestResult(
        harness,
        client,
        'tck/arrival',
        {},
        { headers, version: '2026-07-28' },
      );
      const arrived = result['headers'] as JsonObject | undefined;
      equal([arrived?.['version'], arrived?.['method']], Object.values(headers), 'the headers that arrived');
    }),
  },
];

/** The sender changes its message in place and deep inside: only a deep copy stays as it was. */
async function isolated(harness: Harness, from: ConnectionProbe, to: ConnectionProbe): Promise<void> {
  const list = [1];
  await from.notify('mine', { list });
  list.push(2);
  await harness.until(() => to.notifications('mine').length === 1, 'the message');
  equal(to.notifications('mine')[0]?.['list'], [1], `what arrived on the ${to.side} side`);
}
