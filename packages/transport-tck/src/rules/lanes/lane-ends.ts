import { type Lane, TransportError } from '@rxmcp/transport';
import { assert, equal } from '../../base/assert.js';
import { lateArrivals, quiet } from '../../base/clock.js';
import type { ConnectionProbe } from '../../harness/connection-probe.js';
import { expectEcho } from '../../harness/echo.js';
import { settleSends, endedOnce } from '../../harness/expectations.js';
import { beginCut, cutNewestLane, expectConnectionLoss } from '../../harness/hooks.js';
import type { Harness } from '../../harness/harness.js';
import { onClient, onPair, type Rule } from '../rule.js';
import {
  all,
  requiresCut,
  requiresConnectionPerClient,
  requiresLaneCut,
  requiresLaneEnd,
  requiresLanePerRequest,
  requiresLocalServer,
} from '../skip-conditions.js';

const pad = 'x'.repeat(4_000);

/** Rules about lanes that are open when their connection or they themselves end. */
export const laneEnds: readonly Rule[] = [
  {
    id: 'lanes/close-ends-all',
    description: 'Closing with lanes open calls closed once, and nothing after it, laneClosed included.',
    skipIf: requiresLanePerRequest,
    verify: endsWithLanesOpen((client, harness) => harness.close(client)),
  },
  {
    id: 'lanes/peer-close-ends-all',
    description: 'A served side that closes with lanes open ends both sides once, and nothing follows.',
    skipIf: all(requiresLanePerRequest, requiresConnectionPerClient),
    verify: endsWithLanesOpen(async (client, harness) => {
      client.askForEnd('tck/close', { after: 0 });
      await endedOnce(harness, client, ...harness.accepted.slice(-1));
    }),
  },
  {
    id: 'lanes/close-delivers',
    description: 'What the served side sent into a lane before it closed arrives before the end.',
    skipIf: all(requiresLanePerRequest, requiresConnectionPerClient),
    verify: onClient(async (client, harness) => {
      client.askForEnd('tck/close', { after: 20 });
      await endedOnce(harness, client);
      equal(client.notifications('tck/progressed').length, 20, 'messages that arrived of 20');
      equal(client.responses(1).length, 1, 'results');
    }),
  },
  {
    id: 'lanes/cut-closes',
    description: 'A cut with lanes open calls closed once on both sides, with a cause on the dialling side.',
    waitsForLoss: true,
    skipIf: all(requiresLanePerRequest, requiresCut),
    verify: endsWithLanesOpen(async (client, harness) => {
      await expectConnectionLoss(harness, beginCut(harness), client);
      await endedOnce(harness, ...harness.accepted.slice(-1));
      assert(TransportError.is(client.closes[0]), 'a cut was reported without a TransportError');
    }),
  },
  {
    id: 'lanes/close-settles',
    description: 'Sends into lanes that are open when the connection closes settle, on both sides.',
    skipIf: all(requiresLanePerRequest, requiresLocalServer),
    verify: onPair(async ({ client, served }, harness) => {
      await openLanes(harness, client);
      const lanes = served.deliveries.flatMap(({ info }) => info?.lane ?? []);
      const sends = lanes.flatMap((lane) =>
        Array.from({ length: 50 }, (_, index) => served.notify('count', { index, pad }, lane)),
      );
      sends.push(client.request('late', 'tck/hold').then(() => undefined));
      const closing = harness.close(client);
      await settleSends(harness, sends, 'a send into a lane');
      await closing;
    }),
  },
  {
    id: 'lanes/ended-settles',
    description: 'Sends into a lane that the other side ends settle, also those that wait, and later ones.',
    skipIf: all(requiresLanePerRequest, requiresLocalServer, requiresLaneEnd),
    verify: onPair(async ({ client, served }, harness) => {
      const { lane, theirs, sends } = await sendingLane(harness, client, served);
      client.connection.endLane(lane);
      await settleSends(harness, sends, 'a send into a lane that ends');
      await harness.until(() => served.endsOf(theirs).length > 0, 'laneClosed on the served side');
      await settleSends(harness, [served.notify('count', {}, theirs)], 'a send into a lane that has ended');
      await expectEcho(harness, client);
    }),
  },
  {
    id: 'lanes/cut-settles',
    description: 'Sends into a lane that is cut settle.',
    waitsForLoss: true,
    skipIf: all(requiresLanePerRequest, requiresLocalServer, requiresLaneCut, requiresLaneEnd),
    verify: onPair(async ({ client, served }, harness) => {
      const { sends } = await sendingLane(harness, client, served);
      const cutting = cutNewestLane(harness);
      await settleSends(harness, sends, 'a send into a lane that is cut');
      await cutting;
      await expectEcho(harness, client);
    }),
  },
  {
    id: 'lanes/end-twice',
    description: 'A lane that its side ends twice is reported to the other side once.',
    skipIf: all(requiresLanePerRequest, requiresLocalServer, requiresLaneEnd),
    verify: onPair(async ({ client, served }, harness) => {
      const lane = (await client.request(1, 'tck/hold')) ?? {};
      await harness.until(() => served.deliveries.length === 1, 'the request');
      for (const ended of [lane, lane]) client.connection.endLane(ended);
      await harness.until(() => served.lanesClosed.length > 0, 'laneClosed on the served side');
      client.connection.endLane(lane);
      await expectEcho(harness, client);
      await quiet();
      equal(served.endsOf(served.deliveries[0]?.info?.lane).length, 1, 'calls of laneClosed');
    }),
  },
  {
    id: 'lanes/end-after-close',
    description: 'Ending a lane after the close has no effect.',
    skipIf: requiresLanePerRequest,
    verify: onClient(async (client, harness) => {
      const lane = (await client.request(1, 'tck/hold')) ?? {};
      await harness.close(client);
      client.connection.endLane(lane);
      client.connection.endLane({});
      await endedOnce(harness, client);
    }),
  },
];

/** Verifies that a connection with open lanes ends once, and that nothing follows. */
function endsWithLanesOpen(
  end: (client: ConnectionProbe, harness: Harness) => Promise<void>,
): Rule['verify'] {
  return onClient(async (client, harness) => {
    await openLanes(harness, client);
    await end(client, harness);
    await lateArrivals();
    await endedOnce(harness, client);
  });
}

/** Opens a lane in which the served side has sent 200 messages without waiting. */
async function sendingLane(
  harness: Harness,
  client: ConnectionProbe,
  served: ConnectionProbe,
): Promise<{ readonly lane: Lane; readonly theirs: Lane; readonly sends: Promise<void>[] }> {
  const lane = (await client.request(1, 'tck/hold', { count: 1 })) ?? {};
  await harness.until(() => client.deliveries.length === 1, 'a message in the lane');
  const theirs = served.deliveries[0]?.info?.lane ?? {};
  const sends = Array.from({ length: 200 }, (_, index) => served.notify('count', { index, pad }, theirs));
  return { lane, theirs, sends };
}

/** Opens three lanes, each with a message, and none with a response. */
async function openLanes(harness: Harness, client: ConnectionProbe): Promise<void> {
  for (const id of ['x', 'y', 'z']) await client.request(id, 'tck/hold', { count: 1 });
  await harness.until(() => client.notifications('tck/progressed').length === 3, 'a message in each lane');
}
