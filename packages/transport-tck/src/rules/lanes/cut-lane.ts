import { TransportError } from '@rxmcp/transport';
import { assert, equal } from '../../base/assert.js';
import { lateArrivals } from '../../base/clock.js';
import { expectEcho, requestResult } from '../../harness/echo.js';
import type { ConnectionProbe } from '../../harness/connection-probe.js';
import { cutNewestLane, expectLaneLoss } from '../../harness/hooks.js';
import type { Harness } from '../../harness/harness.js';
import {
  all,
  requiresLaneCut,
  requiresNoLaneResumption,
  requiresLaneResumption,
  requiresLaneEnd,
  requiresLocalServer,
  requiresLanePerRequest,
} from '../skip-conditions.js';
import { onClient, onPair, type Rule } from '../rule.js';

/** Rules about the loss of one lane, where every request has its own lane. */
export const cutLane: readonly Rule[] = [
  {
    id: 'cut/lane-reported',
    description:
      'A cut lane is reported to the dialling side once, with a typed cause, and the connection stays open.',
    waitsForLoss: true,
    skipIf: all(requiresLanePerRequest, requiresLaneCut, requiresNoLaneResumption),
    verify: onClient(async (client, harness) => {
      // Before and after its first message.
      for (const count of [0, 2]) {
        const lane = await held(harness, client, `cut after ${String(count)}`, count);
        await expectLaneLoss(harness, client, lane);
        await harness.until(
          () => client.endsOf(lane).length > 0,
          'laneClosed on the dialling side',
          harness.timeouts.lossMs,
        );
        await expectEcho(harness, client);
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
    }),
  },
  {
    id: 'cut/lane-alone',
    description: 'Cutting one lane ends no other lane.',
    waitsForLoss: true,
    skipIf: all(requiresLanePerRequest, requiresLaneCut),
    verify: onClient(async (client, harness) => {
      const stays = await held(harness, client, 'stays', 1);
      await held(harness, client, 'cut', 1);
      await cutNewestLane(harness);
      await lateArrivals();
      equal(client.endsOf(stays).length, 0, 'ends of the lane that was not cut');
      await requestResult(harness, client, 'tck/release');
      await harness.until(
        () => client.responses('stays').length === 1,
        'the response in the lane that was not cut',
      );
    }),
  },
  {
    id: 'cut/lane-served',
    description: 'A cut lane is reported to the served side once.',
    waitsForLoss: true,
    skipIf: all(requiresLanePerRequest, requiresLaneCut, requiresLocalServer, requiresLaneEnd),
    verify: onPair(async ({ client, served }, harness) => {
      for (const count of [0, 2]) {
        const asked = await held(harness, client, `cut after ${String(count)}`, count);
        await harness.until(() => served.deliveries.length > 0, 'the request');
        const lane = served.deliveries.at(-1)?.info?.lane;
        await expectLaneLoss(harness, client, asked);
        await harness.until(
          () => served.endsOf(lane).length > 0,
          'laneClosed on the served side',
          harness.timeouts.lossMs,
        );
        await lateArrivals();
        equal(
          [served.endsOf(lane).length, served.closes.length],
          [1, 0],
          'ends of the lane and the connection',
        );
      }
    }),
  },
  {
    id: 'cut/lane-resumed',
    description: 'A lane that is resumed after a cut delivers every message once.',
    waitsForLoss: true,
    skipIf: all(requiresLanePerRequest, requiresLaneCut, requiresLaneResumption),
    verify: onClient(async (client, harness) => {
      const lane = await held(harness, client, 'resumed', 3);
      await cutNewestLane(harness);
      await requestResult(harness, client, 'tck/release');
      await harness.until(
        () => client.responses('resumed').length > 0,
        'the response after the cut',
        harness.timeouts.closeTimeoutMs,
      );
      equal(client.endsOf(lane).length, 0, 'ends of the lane');
      await lateArrivals();
      const indices = client.notifications('tck/progressed').map(({ index }) => index);
      equal(indices, [0, 1, 2], 'what came before the response');
      equal(client.responses('resumed').length, 1, 'responses');
    }),
  },
];

/** A request on hold that has sent `count` messages. */
async function held(harness: Harness, client: ConnectionProbe, id: string, count: number): Promise<object> {
  const before = client.notifications('tck/progressed').length;
  const lane = {};
  await client.request(id, 'tck/hold', { count }, { lane });
  await harness.until(
    () => client.notifications('tck/progressed').length === before + count,
    `${String(count)} messages of the request on hold`,
  );
  return lane;
}
