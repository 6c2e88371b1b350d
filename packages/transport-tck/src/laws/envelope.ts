import type { JsonObject, Message } from '@rxmcp/jsonrpc';
import { Encoded } from '@rxmcp/jsonrpc';
import type { Refusal } from '@rxmcp/transport';
import { assert, equal } from '../stage/assert.js';
import { quiet } from '../stage/clock.js';
import { echoes, resultOf } from '../stage/echo.js';
import type { End } from '../stage/end.js';
import { fails } from '../stage/failure.js';
import type { Stage } from '../stage/stage.js';
import { local, mirrors, redials } from './gates.js';
import type { Law } from './law.js';

const refusals: readonly Refusal[] = [
  'malformed',
  'unknown-method',
  'unsupported',
  'mismatch',
  'capability',
  'overload',
];

export const envelope: readonly Law[] = [
  {
    id: 'envelope/values',
    says: 'Every JSON value arrives as it was sent.',
    async prove(stage: Stage): Promise<void> {
      const client = await stage.open();
      const params = {
        text: 'é \u{1f600} \u2028 \u0000 \r\n " \\ </script>',
        numbers: [0, -1, 1.5, 1e300, Number.MAX_SAFE_INTEGER],
        empty: [null, false, '', {}, []],
        toString: 'own',
        constructor: { prototype: 1 },
      };
      equal(await resultOf(stage, client, 'tck/echo', params), { echo: params }, 'the echo');
    },
  },
  {
    id: 'envelope/unknown-members',
    says: 'Members of the envelope that nobody knows survive.',
    gate: local,
    async prove(stage: Stage): Promise<void> {
      const { client, served } = await stage.pair();
      const odd = { jsonrpc: '2.0', method: 'odd', params: {}, extension: { kept: true } } as const;
      await client.send(odd as Message);
      await stage.until(() => served.deliveries.length === 1, 'the message');
      equal(served.deliveries[0]?.incoming, stage.dress(odd as Message).message, 'the message');
    },
  },
  {
    id: 'envelope/isolated',
    says: 'Neither side sees what the other does to a message afterwards.',
    gate: local,
    async prove(stage: Stage): Promise<void> {
      const { client, served } = await stage.pair();
      await isolated(stage, client, served);
      if (served.connection.traits.push) await isolated(stage, served, client);
    },
  },
  {
    id: 'envelope/encoded',
    says: 'A message encoded once arrives on every connection it is sent on, each its own copy.',
    gate: redials,
    async prove(stage: Stage): Promise<void> {
      const params = { shared: true };
      const { message } = stage.dress({ jsonrpc: '2.0', id: 'once', method: 'tck/echo', params });
      const out = new Encoded(JSON.stringify(message));
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
    says: 'A send whose signal has fired already rejects, was not sent, and the connection lives.',
    async prove(stage: Stage): Promise<void> {
      const client = await stage.open();
      const params = { aborted: true };
      const send = client.ask('aborted', 'tck/echo', params, { signal: AbortSignal.abort() });
      const error = await fails(stage, send, 'the aborted send');
      equal(error.outcome, 'not-sent', 'the outcome');
      await echoes(stage, client);
      equal(client.answers('aborted').length, 0, 'answers to the aborted request');
    },
  },
  {
    id: 'envelope/refusals',
    says: 'An answer that refuses its request arrives as the error it is, whatever its refusal.',
    async prove(stage: Stage): Promise<void> {
      const client = await stage.open();
      for (const [index, refusal] of refusals.entries()) {
        await client.ask(index, 'tck/refuse', { refusal, code: -31_500 - index });
        await stage.until(() => client.answers(index).length === 1, `the refusal "${refusal}"`);
        const error = { code: -31_500 - index, message: `refused: ${refusal}` };
        equal(client.answers(index)[0]?.['error'], error, `the refusal "${refusal}"`);
      }
      await echoes(stage, client);
    },
  },
  {
    id: 'envelope/hints',
    says: 'Hints that a transport has no use for change nothing.',
    async prove(stage: Stage): Promise<void> {
      const client = await stage.open();
      await resultOf(stage, client, 'tck/echo', {}, { version: '2025-11-25' });
      await quiet();
      equal([client.faults.length, client.closes.length], [0, 0], 'faults and ends');
    },
  },
  {
    id: 'envelope/mirror',
    says: 'The mirror travels beside the body.',
    gate: mirrors,
    async prove(stage: Stage): Promise<void> {
      const client = await stage.open();
      const mirror = { version: '2026-07-28', method: 'tck/arrival' };
      const result = await resultOf(stage, client, 'tck/arrival', {}, { mirror, version: '2026-07-28' });
      const arrived = result['mirror'] as JsonObject | undefined;
      equal([arrived?.['version'], arrived?.['method']], Object.values(mirror), 'the mirror that arrived');
    },
  },
];

/** Each changes in place, and deep inside, what it has: only a copy of all of it does not change with it. */
async function isolated(stage: Stage, from: End, to: End): Promise<void> {
  const list = [1];
  await from.tell('mine', { list });
  list.push(2);
  await stage.until(() => to.told('mine').length === 1, 'the message');
  const theirs = to.told('mine')[0]?.['list'] as number[];
  equal(theirs, [1], `what arrived on the ${to.side} side`);
  theirs.push(3);
  equal(list, [1, 2], `what the ${from.side} side still holds`);
}
