import { equal } from '../stage/assert.js';
import { quiet } from '../stage/clock.js';
import { resultOf } from '../stage/echo.js';
import type { Stage } from '../stage/stage.js';
import { all, connectionIds, endpoint, laneIds, local, redials, sharedLane } from './gates.js';
import type { Law } from './law.js';

export const idScope: readonly Law[] = [
  {
    id: 'id/two-connections',
    says: 'Two connections that use the same ids get their own answers.',
    gate: redials,
    async prove(stage: Stage): Promise<void> {
      const ends = [await stage.open(), await stage.open()];
      for (let id = 0; id < 20; id += 1) {
        await Promise.all(ends.map((end, owner) => end.ask(id, 'tck/echo', { owner })));
      }
      await stage.untilCount(
        () => Math.min(...ends.map((end) => end.deliveries.length)),
        20,
        '20 answers on each connection',
      );
      for (const [owner, end] of ends.entries()) {
        for (let id = 0; id < 20; id += 1) {
          const results = end.answers(id).map((answer) => answer['result']);
          equal(
            results,
            [{ echo: { owner } }],
            `the answers to id ${String(id)} of connection ${String(owner)}`,
          );
        }
      }
    },
  },
  {
    id: 'id/values',
    says: 'The ids 0, "", 1 and "1" come back as they were, and differ.',
    async prove(stage: Stage): Promise<void> {
      const client = await stage.open();
      const ids = [0, '', 1, '1', -7, Number.MAX_SAFE_INTEGER, 'é\u2028"\\'];
      for (const id of ids) await client.ask(id, 'tck/echo', { type: typeof id });
      await stage.untilCount(() => client.deliveries.length, ids.length, `${String(ids.length)} answers`);
      for (const id of ids) {
        const results = client.answers(id).map((answer) => answer['result']);
        equal(results, [{ echo: { type: typeof id } }], `the answers to id ${JSON.stringify(id)}`);
      }
    },
  },
  {
    id: 'id/reused',
    says: 'An id may be used again once it was answered.',
    async prove(stage: Stage): Promise<void> {
      const client = await stage.open();
      for (let round = 1; round <= 3; round += 1) {
        await client.ask(1, 'tck/echo', { round });
        await stage.until(() => client.answers(1).length === round, `answer ${String(round)} to id 1`);
      }
    },
  },
  {
    id: 'id/not-judged',
    says: 'A transport carries a duplicate id and an answer to nothing; judging them is the peer.',
    gate: all(connectionIds, sharedLane),
    async prove(stage: Stage): Promise<void> {
      const client = await stage.open();
      await client.send({ jsonrpc: '2.0', id: 'nobody', result: {} });
      await client.ask(1, 'tck/echo', { copy: 1 });
      await client.ask(1, 'tck/echo', { copy: 2 });
      await stage.until(() => client.answers(1).length === 2, 'both answers to id 1');
    },
  },
  {
    id: 'id/lane-scope',
    says: 'Requests in different lanes may share an id, and each gets its answer in its lane.',
    gate: laneIds,
    async prove(stage: Stage): Promise<void> {
      const client = await stage.open();
      const lanes = await Promise.all([1, 2, 3].map((copy) => client.ask(1, 'tck/echo', { copy })));
      await stage.until(() => client.answers(1).length === 3, 'the 3 answers to id 1');
      for (const [index, lane] of lanes.entries()) {
        const mine = client.deliveries.filter(({ arrival }) => arrival?.lane === lane);
        const results = mine.map(({ incoming }) => (incoming as { result?: unknown }).result);
        equal(results, [{ echo: { copy: index + 1 } }], `the answers in lane ${String(index + 1)}`);
      }
    },
  },
  {
    id: 'id/callers-apart',
    says: 'Two connections to one endpoint may use an id at the same time, and each gets its own answers.',
    gate: all(local, endpoint),
    async prove(stage: Stage): Promise<void> {
      const { client, served } = await stage.pair();
      const ends = [client, await stage.open()];
      for (const [owner, end] of ends.entries()) await end.ask(1, 'tck/hold', { owner, count: 1 });
      await stage.until(() => served.deliveries.length === 2, 'both requests');
      const lanes = new Set(served.deliveries.map(({ arrival }) => arrival?.lane));
      equal(lanes.size, 2, 'lanes of two requests with the same id');
      await resultOf(stage, client, 'tck/release');
      await stage.until(() => ends.every((end) => end.answers(1).length > 0), 'an answer on each connection');
      await quiet();
      for (const [owner, end] of ends.entries()) {
        const results = end.answers(1).map((answer) => answer['result']);
        equal(results, [{ echo: { owner, count: 1 } }], `the answers on connection ${String(owner)}`);
        equal(end.told('tck/progressed').length, 1, `notifications on connection ${String(owner)}`);
      }
    },
  },
];
