import type { JsonObject, JsonRpcMessage } from '@rxmcp/jsonrpc';
import { EncodedMessage } from '@rxmcp/jsonrpc';
import type { RejectionReason } from '@rxmcp/transport';
import { assert, equal } from '../stage/assert.js';
import { quiet } from '../harness/clock.js';
import { expectEcho, requestResult } from '../harness/echo.js';
import type { ConnectionProbe } from '../harness/connection-probe.js';
import { expectTransportError } from '../harness/failure.js';
import type { Harness } from '../harness/harness.js';
import { requiresLocalServer, requiresHeaders, requiresRedial } from '../laws/gates.js';
import type { Rule } from '../laws/law.js';

const refusals: readonly RejectionReason[] = [
  'malformed',
  'unknown-method',
  'unsupported-version',
  'header-mismatch',
  'missing-capability',
  'overloaded',
];

export const envelope: readonly Rule[] = [
  {
    id: 'envelope/values',
    description: 'Every JSON value arrives as it was sent.',
    async verify(stage: Harness): Promise<void> {
      const client = await stage.open();
      const params = {
        text: 'é \u{1f600} \u2028 \u0000 \r\n " \\ </script>',
        numbers: [0, -1, 1.5, 1e300, Number.MAX_SAFE_INTEGER],
        empty: [null, false, '', {}, []],
        toString: 'own',
        constructor: { prototype: 1 },
      };
      equal(await requestResult(stage, client, 'tck/echo', params), { echo: params }, 'the echo');
    },
  },
  {
    id: 'envelope/unknown-members',
    description: 'Members of the envelope that nobody knows survive.',
    skipIf: requiresLocalServer,
    async verify(stage: Harness): Promise<void> {
      const { client, served } = await stage.pair();
      const odd = { jsonrpc: '2.0', method: 'odd', params: {}, extension: { kept: true } } as const;
      await client.send(odd as JsonRpcMessage);
      await stage.until(() => served.deliveries.length === 1, 'the message');
      equal(served.deliveries[0]?.incoming, stage.prepare(odd as JsonRpcMessage).message, 'the message');
    },
  },
  {
    id: 'envelope/isolated',
    description: 'Neither side sees what the other does to a message afterwards.',
    skipIf: requiresLocalServer,
    async verify(stage: Harness): Promise<void> {
      const { client, served } = await stage.pair();
      await isolated(stage, client, served);
      if (served.connection.traits.serverInitiates) await isolated(stage, served, client);
    },
  },
  {
    id: 'envelope/encoded',
    description: 'A message encoded once arrives on every connection it is sent on, each its own copy.',
    skipIf: requiresRedial,
    async verify(stage: Harness): Promise<void> {
      const params = { shared: true };
      const { message } = stage.prepare({ jsonrpc: '2.0', id: 'once', method: 'tck/echo', params });
      const out = new EncodedMessage(JSON.stringify(message));
      for (let round = 0; round < 2; round += 1) {
        const client = await stage.open();
        const lane = client.connection.traits.lanes === 'per-request' ? { lane: {} } : {};
        await client.send(out, lane);
        await stage.until(() => client.answers('once').length === 1, 'the answer');
        equal(client.answers('once')[0]?.['result'], { echo: { shared: true } }, 'the result');
      }
      const [first, second] = stage.accepted.flatMap(({ deliveries }) =>
        deliveries.map(({ incoming }) => incoming),
      );
      assert(first === undefined || first !== second, 'two receivers were handed the same object');
    },
  },
  {
    id: 'envelope/aborted-signal',
    description: 'A send whose signal has fired already rejects, was not sent, and the connection lives.',
    async verify(stage: Harness): Promise<void> {
      const client = await stage.open();
      const params = { aborted: true };
      const send = client.request('aborted', 'tck/echo', params, { signal: AbortSignal.abort() });
      const error = await expectTransportError(stage, send, 'the aborted send');
      equal(error.outcome, 'not-sent', 'the outcome');
      await expectEcho(stage, client);
      equal(client.answers('aborted').length, 0, 'answers to the aborted request');
    },
  },
  {
    id: 'envelope/refusals',
    description: 'An answer that refuses its request arrives as the error it is, whatever its refusal.',
    async verify(stage: Harness): Promise<void> {
      const client = await stage.open();
      for (const [index, refusal] of refusals.entries()) {
        await client.request(index, 'tck/refuse', { refusal, code: -31_500 - index });
        await stage.until(() => client.answers(index).length === 1, `the refusal "${refusal}"`);
        const error = { code: -31_500 - index, message: `refused: ${refusal}` };
        equal(client.answers(index)[0]?.['error'], error, `the refusal "${refusal}"`);
      }
      await expectEcho(stage, client);
    },
  },
  {
    id: 'envelope/hints',
    description: 'Hints that a transport has no use for change nothing.',
    async verify(stage: Harness): Promise<void> {
      const client = await stage.open();
      await requestResult(stage, client, 'tck/echo', {}, { version: '2025-11-25' });
      await quiet();
      equal([client.faults.length, client.closes.length], [0, 0], 'faults and ends');
    },
  },
  {
    id: 'envelope/mirror',
    description: 'The mirror travels beside the body.',
    skipIf: requiresHeaders,
    async verify(stage: Harness): Promise<void> {
      const client = await stage.open();
      const mirror = { version: '2026-07-28', method: 'tck/arrival' };
      const result = await requestResult(
        stage,
        client,
        'tck/arrival',
        {},
        { headers: mirror, version: '2026-07-28' },
      );
      const arrived = result['mirror'] as JsonObject | undefined;
      equal([arrived?.['version'], arrived?.['method']], Object.values(mirror), 'the mirror that arrived');
    },
  },
];

/** Each changes in place, and deep inside, what it has: only a copy of all of it does not change with it. */
async function isolated(stage: Harness, from: ConnectionProbe, to: ConnectionProbe): Promise<void> {
  const list = [1];
  await from.notify('mine', { list });
  list.push(2);
  await stage.until(() => to.told('mine').length === 1, 'the message');
  const theirs = to.told('mine')[0]?.['list'] as number[];
  equal(theirs, [1], `what arrived on the ${to.side} side`);
  theirs.push(3);
  equal(list, [1, 2], `what the ${from.side} side still holds`);
}
