import type { JsonObject } from '@rxmcp/jsonrpc';
import type { Lane } from '@rxmcp/transport';
import { assert, equal } from '../../base/assert.js';
import type { ConnectionProbe } from '../../harness/connection-probe.js';
import { requestResult } from '../../harness/echo.js';
import type { Harness } from '../../harness/harness.js';
import { onClient, type Rule } from '../rule.js';
import {
  all,
  requiresClientReplies,
  requiresLaneIdScope,
  requiresLanePerRequest,
  requiresLocalServer,
} from '../skip-conditions.js';

const perLane = 20;

/** Rules about what arrives in which lane, and in which order. */
export const laneOrder: readonly Rule[] = [
  {
    id: 'lanes/early-request',
    description: 'A request that arrives before the served side starts is answered after its start.',
    holdsServed: true,
    skipIf: all(requiresLocalServer, requiresLanePerRequest),
    async verify(harness: Harness): Promise<void> {
      const client = await harness.dial();
      const begun = harness.begin(client).then(() => client.request('early', 'tck/echo'));
      begun.catch(() => undefined);
      await harness.until(() => harness.accepted.length > 0, 'the served side to accept the connection');
      harness.holdServed(false);
      // A request that overtakes the start is what this rule is about, so it gets time to arrive.
      await harness.holds(() => client.responses('early').length > 0, 50);
      equal(client.responses('early').length, 0, 'responses before the served side started');
      for (const served of harness.accepted) served.start();
      await harness.within(begun, 'the send of the early request');
      await harness.until(() => client.responses('early').length === 1, 'the response to the early request');
    },
  },
  {
    id: 'lanes/interleaved',
    description:
      'Lanes that send at the same time each get their own messages, in order, and their result last.',
    skipIf: requiresLanePerRequest,
    verify: onClient(async (client, harness) => {
      const ids = ['a', 'b', 'c', 'd', 'e'];
      const lanes = await Promise.all(
        ids.map((id) => client.request(id, 'tck/progress', { count: perLane })),
      );
      const total = ids.length * (perLane + 1);
      await harness.untilCount(() => client.deliveries.length, total, `${String(total)} messages`);
      const wanted = [...Array.from({ length: perLane }, (_, index) => index), 'result'];
      for (const [at, lane] of lanes.entries()) {
        equal(inLane(client, lane), wanted, `what arrived in the lane of request ${ids[at] ?? ''}`);
      }
    }),
  },
  {
    id: 'lanes/large-at-once',
    description:
      'Large messages in several lanes at once arrive whole, each in its lane, in both directions.',
    skipIf: requiresLanePerRequest,
    verify: onClient(async (client, harness) => {
      const length = Math.floor(Math.min(client.connection.traits.maxMessageBytes / 4, 200_000));
      const pads = ['a', 'b', 'c'].map((letter) => letter.repeat(length));
      const lanes = await Promise.all(pads.map((pad, id) => client.request(id, 'tck/echo', { pad })));
      await harness.untilCount(() => client.deliveries.length, pads.length, 'the 3 large responses');
      for (const [id, lane] of lanes.entries()) {
        const mine = client.deliveries.filter(({ info }) => info?.lane === lane);
        const whole = mine.map(({ incoming }) => (incoming as JsonObject)['result'] as JsonObject);
        const isRight = whole.length === 1 && (whole[0]?.['echo'] as JsonObject)['pad'] === pads[id];
        assert(isRight, `the response in lane ${String(id)} differs from what was sent`);
      }
    }),
  },
  {
    id: 'lanes/reverse-responses',
    description: 'Requests that are answered in reverse order each get their response in their lane.',
    skipIf: requiresLanePerRequest,
    verify: onClient(async (client, harness) => {
      await reversed(harness, client, (key) => `request ${String(key)}`);
    }),
  },
  {
    id: 'lanes/equal-ids-reversed',
    description:
      'Requests with one id in several lanes that are answered in reverse order get their own responses.',
    skipIf: all(requiresLanePerRequest, requiresLaneIdScope),
    verify: onClient(async (client, harness) => {
      await reversed(harness, client, () => 'same');
    }),
  },
  {
    id: 'lanes/client-response',
    description: 'The response to a request of the served side reaches the lane in which it was asked.',
    skipIf: all(requiresLanePerRequest, requiresClientReplies),
    verify: onClient(async (client, harness) => {
      const questions: { key: unknown; id: unknown; lane: Lane | undefined }[] = [];
      client.onReceived = (incoming, info) => {
        const { id, method, params } = incoming as JsonObject;
        if (method === 'tck/question')
          questions.push({ id, lane: info?.lane, key: (params as JsonObject)['key'] });
      };
      const firstId = (key: number): number => (client.connection.traits.idScope === 'lane' ? 1 : key);
      const lanes = [];
      for (const key of [1, 2])
        lanes.push(await client.request(key, 'tck/ask', { key, count: 1, firstId: firstId(key) }));
      await harness.until(() => questions.length === 2, 'a request of the served side in each lane');
      for (const { id, lane, key } of questions.reverse()) {
        equal(lanes.indexOf(lane), Number(key) - 1, `the lane of the question of request ${String(key)}`);
        await client.send(
          { jsonrpc: '2.0', id: id as number, result: { key: key as number } },
          lane && { lane },
        );
      }
      for (const key of [1, 2]) {
        await harness.until(
          () => client.responses(key).length === 1,
          `the response to request ${String(key)}`,
        );
        equal(
          client.responses(key)[0]?.['result'],
          { answers: [{ key }] },
          `the responses that request ${String(key)} got`,
        );
      }
    }),
  },
];

/** Holds three requests and answers the last one first. */
async function reversed(
  harness: Harness,
  client: ConnectionProbe,
  id: (key: number) => string,
): Promise<void> {
  const keys = [1, 2, 3];
  const lanes: (Lane | undefined)[] = [];
  for (const key of keys) lanes.push(await client.request(id(key), 'tck/hold', { key, count: 1 }));
  await harness.until(() => client.notifications('tck/progressed').length === 3, 'a message in each lane');
  await requestResult(harness, client, 'tck/release', { keys: [3, 2, 1] });
  const responses = (): JsonObject[] =>
    client.messages().filter(({ result }) => (result as JsonObject | undefined)?.['echo']);
  await harness.until(() => responses().length === 3, 'the 3 responses');
  for (const [at, lane] of lanes.entries()) {
    const mine = client.deliveries
      .filter(({ info }) => info?.lane === lane)
      .map(({ incoming }) => incoming as JsonObject);
    const results = mine.flatMap(({ result }) => (result === undefined ? [] : [result]));
    equal(results, [{ echo: { key: keys[at], count: 1 } }], `the responses in lane ${String(keys[at])}`);
  }
}

function inLane(client: ConnectionProbe, lane: Lane | undefined): unknown[] {
  return client.deliveries
    .filter(({ info }) => info?.lane === lane)
    .map(({ incoming }) => incoming as JsonObject)
    .map(({ method, params }) => (method === undefined ? 'result' : (params as JsonObject)['index']));
}
