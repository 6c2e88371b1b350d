import { equal } from '../../base/assert.js';
import { quiet } from '../../base/clock.js';
import { requestResult } from '../../harness/echo.js';
import type { Harness } from '../../harness/harness.js';
import {
  all,
  requiresConnectionIdScope,
  requiresEndpoint,
  requiresLaneIdScope,
  requiresLocalServer,
  requiresRedial,
  requiresSharedLane,
} from '../skip-conditions.js';
import { onClient, onPair, type Rule } from '../rule.js';

export const idScope: readonly Rule[] = [
  {
    id: 'id/two-connections',
    description: 'Two connections that use the same ids each get their own responses.',
    skipIf: requiresRedial,
    async verify(harness: Harness): Promise<void> {
      const ends = [await harness.open(), await harness.open()];
      for (let id = 0; id < 20; id += 1) {
        await Promise.all(ends.map((end, owner) => end.request(id, 'tck/echo', { owner })));
      }
      await harness.untilCount(
        () => Math.min(...ends.map((end) => end.deliveries.length)),
        20,
        '20 responses on each connection',
      );
      for (const [owner, end] of ends.entries()) {
        for (let id = 0; id < 20; id += 1) {
          const results = end.responses(id).map((response) => response['result']);
          equal(
            results,
            [{ echo: { owner } }],
            `the responses to id ${String(id)} of connection ${String(owner)}`,
          );
        }
      }
    },
  },
  {
    id: 'id/values',
    description: 'The ids 0, "", 1 and "1" are returned unchanged and stay distinct.',
    verify: onClient(async (client, harness) => {
      const ids = [0, '', 1, '1', -7, Number.MAX_SAFE_INTEGER, 'é\u2028"\\'];
      for (const id of ids) await client.request(id, 'tck/echo', { type: typeof id });
      await harness.untilCount(() => client.deliveries.length, ids.length, `${String(ids.length)} responses`);
      for (const id of ids) {
        const results = client.responses(id).map((response) => response['result']);
        equal(results, [{ echo: { type: typeof id } }], `the responses to id ${JSON.stringify(id)}`);
      }
    }),
  },
  {
    id: 'id/reused',
    description: 'An id may be reused once it was answered.',
    verify: onClient(async (client, harness) => {
      for (let round = 1; round <= 3; round += 1) {
        await client.request(1, 'tck/echo', { round });
        await harness.until(() => client.responses(1).length === round, `response ${String(round)} to id 1`);
      }
    }),
  },
  {
    id: 'id/not-validated',
    description: 'A transport delivers duplicate ids and responses with unknown ids; the peer judges them.',
    skipIf: all(requiresConnectionIdScope, requiresSharedLane),
    verify: onClient(async (client, harness) => {
      await client.send({ jsonrpc: '2.0', id: 'nobody', result: {} });
      await client.request(1, 'tck/echo', { copy: 1 });
      await client.request(1, 'tck/echo', { copy: 2 });
      await harness.until(() => client.responses(1).length === 2, 'both responses to id 1');
    }),
  },
  {
    id: 'id/lane-scope',
    description: 'Requests in different lanes may share an id, and each gets its response in its lane.',
    skipIf: requiresLaneIdScope,
    verify: onClient(async (client, harness) => {
      const lanes = await Promise.all([1, 2, 3].map((copy) => client.request(1, 'tck/echo', { copy })));
      await harness.until(() => client.responses(1).length === 3, 'the 3 responses to id 1');
      for (const [index, lane] of lanes.entries()) {
        const mine = client.deliveries.filter(({ info }) => info?.lane === lane);
        const results = mine.map(({ incoming }) => (incoming as { result?: unknown }).result);
        equal(results, [{ echo: { copy: index + 1 } }], `the responses in lane ${String(index + 1)}`);
      }
    }),
  },
  {
    id: 'id/callers-apart',
    description:
      'Two connections to one endpoint may use an id at the same time, and each gets its own responses.',
    skipIf: all(requiresLocalServer, requiresEndpoint),
    verify: onPair(async ({ client, served }, harness) => {
      const ends = [client, await harness.open()];
      for (const [owner, end] of ends.entries()) await end.request(1, 'tck/hold', { owner, count: 1 });
      await harness.until(() => served.deliveries.length === 2, 'both requests');
      const lanes = new Set(served.deliveries.map(({ info }) => info?.lane));
      equal(lanes.size, 2, 'lanes of two requests with the same id');
      await requestResult(harness, client, 'tck/release');
      await harness.until(
        () => ends.every((end) => end.responses(1).length > 0),
        'a response on each connection',
      );
      await quiet();
      for (const [owner, end] of ends.entries()) {
        const results = end.responses(1).map((response) => response['result']);
        equal(results, [{ echo: { owner, count: 1 } }], `the responses on connection ${String(owner)}`);
        equal(end.notifications('tck/progressed').length, 1, `notifications on connection ${String(owner)}`);
      }
    }),
  },
];
