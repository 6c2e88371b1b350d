import type { JsonObject } from '@rxmcp/jsonrpc';
import type { Lane } from '@rxmcp/transport';
import { assert, equal } from '../../base/assert.js';
import { now } from '../../base/clock.js';
import type { ConnectionProbe } from '../../harness/connection-probe.js';
import { expectEcho, requestResult } from '../../harness/echo.js';
import { onClient, type Rule } from '../rule.js';
import {
  all,
  requiresClientReplies,
  requiresMessageLimit,
  requiresServerInitiates,
} from '../skip-conditions.js';

const floodCount = 500;

/** Rules about what the served side sends. */
export const served: readonly Rule[] = [
  {
    id: 'served/asks',
    description: 'The dialling side answers 100 requests of the served side, one after the other.',
    skipIf: all(requiresServerInitiates, requiresClientReplies),
    verify: onClient(async (client, harness) => {
      const startedAt = now();
      await expectEcho(harness, client);
      client.deliveries.length = 0;
      // A slow wire gets as many as fit into a quarter of the time of a rule.
      const fitting = Math.floor(harness.timeouts.ruleTimeoutMs / 4 / (now() - startedAt));
      const count = Math.min(100, Math.max(2, fitting));
      answerQuestions(client);
      await client.request('asks', 'tck/ask', { count, firstId: 1, standing: true });
      await harness.untilCount(
        () => client.messages().length,
        count + 1,
        `${String(count)} requests of the served side and the result`,
      );
      const answers = Array.from({ length: count }, (_, index) => ({ index }));
      equal(client.responses('asks')[0]?.['result'], { answers }, 'the responses that the served side got');
    }),
  },
  {
    id: 'served/asks-with-equal-id',
    description: 'A request of the served side may have the id of an open request of the dialling side.',
    skipIf: all(requiresServerInitiates, requiresClientReplies),
    verify: onClient(async (client, harness) => {
      answerQuestions(client);
      await client.request(7, 'tck/ask', { count: 1, firstId: 7, standing: true });
      await harness.until(() => client.responses(7).length === 1, 'the response');
      equal(
        client.responses(7)[0]?.['result'],
        { answers: [{ index: 0 }] },
        'the responses that the served side got',
      );
    }),
  },
  {
    id: 'served/large-responses',
    description: 'Responses of 64 KiB and of a quarter of the limit arrive whole.',
    verify: onClient(async (client, harness) => {
      const { maxMessageBytes } = client.connection.traits;
      const quarter = Math.floor(Math.min(maxMessageBytes, 4 * 1024 * 1024) / 4);
      for (const length of [Math.min(64 * 1024, quarter), quarter]) {
        const { text } = await requestResult(harness, client, 'tck/respond', { unit: 'x', length });
        equal((text as string).length, length, 'the length of the response');
      }
    }),
  },
  {
    id: 'served/response-just-under',
    description: 'A response just under the limit arrives whole.',
    skipIf: requiresMessageLimit,
    verify: onClient(async (client, harness) => {
      const length = client.connection.traits.maxMessageBytes - 512;
      const { text } = await requestResult(harness, client, 'tck/respond', { unit: 'x', length });
      equal((text as string).length, length, 'the length of the response');
    }),
  },
  {
    id: 'served/response-too-large',
    description:
      'A response over the limit rejects on the served side with TOO_LARGE, and an error can be sent instead.',
    skipIf: requiresMessageLimit,
    verify: onClient(async (client, harness) => {
      const length = client.connection.traits.maxMessageBytes;
      await client.request(1, 'tck/respond', { unit: 'x', length });
      await harness.until(() => client.responses(1).length === 1, 'the error that is sent instead');
      const { data } = (client.responses(1)[0]?.['error'] ?? {}) as { data?: unknown };
      equal(data, { code: 'TOO_LARGE', outcome: 'not-sent' }, 'why the response was not sent');
      await expectEcho(harness, client);
    }),
  },
  {
    id: 'served/flood',
    description: 'Every message of a flood by the served side that was accepted arrives, in order.',
    verify: onClient(async (client, harness) => {
      await client.request(1, 'tck/flood', { count: floodCount, padLength: 500 });
      const isOver = (): boolean => client.responses(1).length === 1;
      await harness.untilCount(
        () => (isOver() ? floodCount + 1 : client.messages().length),
        floodCount + 1,
        'the result after the flood',
      );
      const { accepted } = client.responses(1)[0]?.['result'] as { accepted: number };
      await harness.until(
        () => client.notifications('tck/progressed').length >= accepted,
        `the ${String(accepted)} accepted messages`,
      );
      const indices = client.notifications('tck/progressed').map(({ index }) => Number(index));
      assert(
        indices.every((index, at) => at === 0 || index > (indices[at - 1] ?? 0)),
        'the flood arrived out of order',
      );
    }),
  },
  {
    id: 'served/responses-in-flood',
    description: 'A request is answered while the served side floods.',
    verify: onClient(async (client, harness) => {
      await client.request('flood', 'tck/flood', { count: floodCount, padLength: 500 });
      await expectEcho(harness, client);
      await harness.until(() => client.responses('flood').length === 1, 'the end of the flood');
    }),
  },
  {
    id: 'served/ping-pong',
    description: 'Of 100 messages that wait for each other, each arrives without another one behind it.',
    verify: onClient(async (client, harness) => {
      // A slow wire gets half the time of a rule.
      const end = now() + harness.timeouts.ruleTimeoutMs / 2;
      for (let round = 0; round < 100 && now() < end; round += 1) await expectEcho(harness, client);
    }),
  },
];

/** Answers every request of the served side in its lane. */
function answerQuestions(client: ConnectionProbe): void {
  client.onReceived = (incoming, info) => {
    const { id, method, params } = incoming as JsonObject;
    if (method !== 'tck/question') return;
    const lane: Lane | undefined = info?.lane;
    const result = { index: (params as JsonObject)['index'] as number };
    client.send({ jsonrpc: '2.0', id: id as number, result }, lane && { lane }).catch(() => undefined);
  };
}
