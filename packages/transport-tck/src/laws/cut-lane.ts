import { TransportError } from '@rxmcp/transport';
import { assert, equal } from '../stage/assert.js';
import { pause } from '../stage/clock.js';
import { echoes, resultOf } from '../stage/echo.js';
import type { End } from '../stage/end.js';
import { cutLane as cutNewest, cutLaneShows } from '../stage/hooks.js';
import type { Stage } from '../stage/stage.js';
import { all, laneCut, laneLost, laneResumed, lanesEnd, local, ownLanes } from './gates.js';
import type { Law } from './law.js';

/** Time enough for a cut to show itself where it should not. */
const showsMs = 30;

/** What the loss of one lane does, where every request has its own. */
export const cutLane: readonly Law[] = [
  {
    id: 'cut/lane-told',
    says: 'A lane that is cut is told to the dialling side once, with a typed cause, and the connection lives.',
    gate: all(ownLanes, laneCut, laneLost),
    async prove(stage: Stage): Promise<void> {
      const client = await stage.open();
      // Before and after its first message.
      for (const count of [0, 2]) {
        const lane = await held(stage, client, `cut after ${String(count)}`, count);
        await cutLaneShows(stage, client, lane);
        await stage.until(() => client.endsOf(lane).length > 0, 'laneClosed on the dialling side');
        await echoes(stage, client);
        const [cause, ...more] = client.endsOf(lane);
        assert(
          TransportError.is(cause),
          `the cause is ${cause === undefined ? 'missing' : 'no TransportError'}`,
        );
        equal(
          [more.length, client.closes.length],
          [0, 0],
          'further ends of the lane, ends of the connection',
        );
      }
    },
  },
  {
    id: 'cut/lane-alone',
    says: 'The cut of a lane ends no other one.',
    gate: all(ownLanes, laneCut),
    async prove(stage: Stage): Promise<void> {
      const client = await stage.open();
      const stays = await held(stage, client, 'stays', 1);
      await held(stage, client, 'cut', 1);
      await cutNewest(stage);
      await pause(showsMs);
      equal(client.endsOf(stays).length, 0, 'ends of the lane that was not cut');
      await resultOf(stage, client, 'tck/release');
      await stage.until(
        () => client.answers('stays').length === 1,
        'the answer in the lane that was not cut',
      );
    },
  },
  {
    id: 'cut/lane-served',
    says: 'A lane that is cut is told to the served side, once.',
    gate: all(ownLanes, laneCut, local, lanesEnd),
    async prove(stage: Stage): Promise<void> {
      const { client, served } = await stage.pair();
      for (const count of [0, 2]) {
        const asked = await held(stage, client, `cut after ${String(count)}`, count);
        await stage.until(() => served.deliveries.length > 0, 'the request');
        const lane = served.deliveries.at(-1)?.arrival?.lane;
        await cutLaneShows(stage, client, asked);
        await stage.until(() => served.endsOf(lane).length > 0, 'laneClosed on the served side');
        await pause(showsMs);
        equal(
          [served.endsOf(lane).length, served.closes.length],
          [1, 0],
          'ends of the lane and the connection',
        );
      }
    },
  },
  {
    id: 'cut/lane-resumed',
    says: 'A lane that is taken up again after a cut brings everything, once.',
    gate: all(ownLanes, laneCut, laneResumed),
    async prove(stage: Stage): Promise<void> {
      const client = await stage.open();
      const lane = await held(stage, client, 'resumed', 3);
      await cutNewest(stage);
      await resultOf(stage, client, 'tck/release');
      await stage.until(
        () => client.answers('resumed').length > 0,
        'the answer after the cut',
        stage.patience.closeMs,
      );
      equal(client.endsOf(lane).length, 0, 'ends of the lane');
      await pause(showsMs);
      const indices = client.told('tck/progressed').map(({ index }) => index);
      equal(indices, [0, 1, 2], 'what came before the answer');
      equal(client.answers('resumed').length, 1, 'answers');
    },
  },
];

/** A request on hold that has sent `count` messages. */
async function held(stage: Stage, client: End, id: string, count: number): Promise<object> {
  const before = client.told('tck/progressed').length;
  const lane = {};
  await client.ask(id, 'tck/hold', { count }, { lane });
  await stage.until(
    () => client.told('tck/progressed').length === before + count,
    `${String(count)} messages of the request on hold`,
  );
  return lane;
}
