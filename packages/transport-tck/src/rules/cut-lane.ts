import { TransportError } from '@rxmcp/transport';
import { assert, equal } from '../stage/assert.js';
import { pause } from '../harness/clock.js';
import { expectEcho, requestResult } from '../harness/echo.js';
import type { ConnectionProbe } from '../harness/connection-probe.js';
import { cutLane as cutNewest, expectLaneLoss } from '../harness/hooks.js';
import type { Harness } from '../harness/harness.js';
import {
  all,
  requiresLaneCut,
  requiresNoLaneResumption,
  requiresLaneResumption,
  requiresLaneEnd,
  requiresLocalServer,
  requiresLanePerRequest,
} from '../laws/gates.js';
import type { Rule } from '../laws/law.js';

/** Time enough for a cut to show itself where it should not. */
const showsMs = 30;

/** What the loss of one lane does, where every request has its own. */
export const cutLane: readonly Rule[] = [
  {
    id: 'cut/lane-told',
    description:
      'A lane that is cut is told to the dialling side once, with a typed cause, and the connection lives.',
    skipIf: all(requiresLanePerRequest, requiresLaneCut, requiresNoLaneResumption),
    async verify(stage: Harness): Promise<void> {
      const client = await stage.open();
      // Before and after its first message.
      for (const count of [0, 2]) {
        const lane = await held(stage, client, `cut after ${String(count)}`, count);
        await expectLaneLoss(stage, client, lane);
        await stage.until(() => client.endsOf(lane).length > 0, 'laneClosed on the dialling side');
        await expectEcho(stage, client);
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
    description: 'The cut of a lane ends no other one.',
    skipIf: all(requiresLanePerRequest, requiresLaneCut),
    async verify(stage: Harness): Promise<void> {
      const client = await stage.open();
      const stays = await held(stage, client, 'stays', 1);
      await held(stage, client, 'cut', 1);
      await cutNewest(stage);
      await pause(showsMs);
      equal(client.endsOf(stays).length, 0, 'ends of the lane that was not cut');
      await requestResult(stage, client, 'tck/release');
      await stage.until(
        () => client.answers('stays').length === 1,
        'the answer in the lane that was not cut',
      );
    },
  },
  {
    id: 'cut/lane-served',
    description: 'A lane that is cut is told to the served side, once.',
    skipIf: all(requiresLanePerRequest, requiresLaneCut, requiresLocalServer, requiresLaneEnd),
    async verify(stage: Harness): Promise<void> {
      const { client, served } = await stage.pair();
      for (const count of [0, 2]) {
        const asked = await held(stage, client, `cut after ${String(count)}`, count);
        await stage.until(() => served.deliveries.length > 0, 'the request');
        const lane = served.deliveries.at(-1)?.info?.lane;
        await expectLaneLoss(stage, client, asked);
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
    description: 'A lane that is taken up again after a cut brings everything, once.',
    skipIf: all(requiresLanePerRequest, requiresLaneCut, requiresLaneResumption),
    async verify(stage: Harness): Promise<void> {
      const client = await stage.open();
      const lane = await held(stage, client, 'resumed', 3);
      await cutNewest(stage);
      await requestResult(stage, client, 'tck/release');
      await stage.until(
        () => client.answers('resumed').length > 0,
        'the answer after the cut',
        stage.timeouts.closeTimeoutMs,
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
async function held(stage: Harness, client: ConnectionProbe, id: string, count: number): Promise<object> {
  const before = client.told('tck/progressed').length;
  const lane = {};
  await client.request(id, 'tck/hold', { count }, { lane });
  await stage.until(
    () => client.told('tck/progressed').length === before + count,
    `${String(count)} messages of the request on hold`,
  );
  return lane;
}
