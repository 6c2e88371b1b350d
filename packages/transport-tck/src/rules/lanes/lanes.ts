import type { Lane } from '@rxmcp/transport';
import { assert, equal } from '../../base/assert.js';
import { lateArrivals, quiet } from '../../base/clock.js';
import { expectEcho, requestResult } from '../../harness/echo.js';
import {
  all,
  requiresLaneEnd,
  requiresLocalServer,
  requiresLanePerRequest,
  requiresServerInitiates,
  requiresSharedLane,
} from '../skip-conditions.js';
import { onClient, onPair, type Rule } from '../rule.js';

export const lanes: readonly Rule[] = [
  {
    id: 'lanes/independent',
    description: 'A slow request does not delay the next request.',
    verify: onClient(async (client, harness) => {
      await client.request('slow', 'tck/hold');
      await client.request('fast', 'tck/echo');
      await harness.until(() => client.responses('fast').length === 1, 'the response to the fast request');
      equal(client.responses('slow').length, 0, 'responses to the slow request by then');
      await requestResult(harness, client, 'tck/release');
      await harness.until(() => client.responses('slow').length === 1, 'the response to the slow request');
    }),
  },
  {
    id: 'lanes/end-shared',
    description: 'Ending a lane has no effect where one lane is shared.',
    skipIf: requiresSharedLane,
    verify: onClient(async (client, harness) => {
      const lane: Lane = {};
      await client.request('laned', 'tck/echo', {}, { lane });
      client.connection.endLane(lane);
      client.connection.endLane({});
      await harness.until(() => client.responses('laned').length === 1, 'the response of the ended lane');
      await expectEcho(harness, client);
    }),
  },
  {
    id: 'lanes/no-end-shared',
    description: 'A shared lane is never reported as closed.',
    skipIf: requiresSharedLane,
    verify: onClient(async (client, harness) => {
      await client.request(1, 'tck/progress', { count: 2 }, { lane: {} });
      await harness.until(() => client.responses(1).length === 1, 'the response');
      await harness.close(client);
      await quiet();
      equal(client.lanesClosed.length, 0, 'calls of laneClosed');
    }),
  },
  {
    id: 'lanes/response-in-lane',
    description: 'All messages of a request arrive in the lane in which it was sent.',
    skipIf: requiresLanePerRequest,
    verify: onClient(async (client, harness) => {
      const lane = await client.request(1, 'tck/progress', { count: 3 });
      await harness.until(() => client.responses(1).length === 1, 'the response');
      equal(client.deliveries.length, 4, 'deliveries');
      assert(
        client.deliveries.every(({ info }) => info?.lane === lane),
        'a message came in another lane',
      );
    }),
  },
  {
    id: 'lanes/one-each',
    description: 'Concurrent requests have different lanes on the served side.',
    skipIf: all(requiresLocalServer, requiresLanePerRequest),
    verify: onPair(async ({ client, served }, harness) => {
      await Promise.all([client.request(1, 'tck/hold'), client.request(2, 'tck/hold')]);
      await harness.until(() => served.deliveries.length === 2, 'both requests');
      const [first, second] = served.deliveries.map(({ info }) => info?.lane);
      assert(first !== undefined && second !== undefined && first !== second, 'the requests share a lane');
    }),
  },
  {
    id: 'lanes/end-arrives',
    description: 'A lane that the dialling side ends is reported to the served side.',
    skipIf: all(requiresLocalServer, requiresLanePerRequest, requiresLaneEnd),
    verify: onPair(async ({ client, served }, harness) => {
      const lane = await client.request(1, 'tck/hold');
      await harness.until(() => served.deliveries.length === 1, 'the request');
      if (lane !== undefined) client.connection.endLane(lane);
      await harness.until(() => served.lanesClosed.length > 0, 'laneClosed on the served side');
      await quiet();
      equal(served.lanesClosed.length, 1, 'calls of laneClosed');
      assert(served.lanesClosed[0]?.lane === served.deliveries[0]?.info?.lane, 'another lane was closed');
    }),
  },
  {
    id: 'lanes/ended-silent',
    description: 'Nothing arrives in a lane that its own side has ended, and other lanes continue.',
    skipIf: requiresLanePerRequest,
    verify: onClient(async (client, harness) => {
      const ended = (await client.request('ended', 'tck/hold')) ?? {};
      await client.request('continues', 'tck/hold');
      client.connection.endLane(ended);
      await requestResult(harness, client, 'tck/release');
      await harness.until(() => client.responses('continues').length === 1, 'the response in the other lane');
      await quiet();
      const inEnded = client.deliveries.filter(({ info }) => info?.lane === ended);
      equal([inEnded.length, client.endsOf(ended).length], [0, 0], 'messages and ends of the ended lane');
      equal(client.closes.length, 0, 'calls of closed()');
    }),
  },
  {
    id: 'lanes/end-answered',
    description: 'Ending an answered lane or an unknown lane has no effect.',
    skipIf: requiresLanePerRequest,
    verify: onClient(async (client, harness) => {
      const lane = (await client.request(1, 'tck/echo')) ?? {};
      await harness.until(() => client.responses(1).length === 1, 'the response');
      for (const over of [lane, lane, {}]) client.connection.endLane(over);
      await expectEcho(harness, client);
      equal([client.responses(1).length, client.closes.length], [1, 0], 'responses and ends');
    }),
  },
  {
    id: 'lanes/answered',
    description: 'A lane that was answered is not reported as lost.',
    skipIf: requiresLanePerRequest,
    verify: onClient(async (client, harness) => {
      await client.request(1, 'tck/echo');
      await client.request(2, 'tck/progress', { count: 2 });
      await harness.until(
        () => client.responses(1).length + client.responses(2).length === 2,
        'both responses',
      );
      await lateArrivals();
      equal(
        client.lanesClosed.flatMap(({ error }) => error?.code ?? []),
        [],
        'causes of ended lanes',
      );
    }),
  },
  {
    id: 'lanes/end-by-peer',
    description: 'A lane that the served side ends without a response is reported to the dialling side once.',
    skipIf: requiresLanePerRequest,
    verify: onClient(async (client, harness) => {
      const lane = await client.request(1, 'tck/end');
      await harness.until(() => client.endsOf(lane).length > 0, 'laneClosed on the dialling side');
      await expectEcho(harness, client);
      equal(client.endsOf(lane).length, 1, 'calls of laneClosed');
    }),
  },
  {
    id: 'lanes/standing',
    description: 'Messages that the served side sends unasked arrive without a lane.',
    skipIf: all(requiresLanePerRequest, requiresServerInitiates),
    verify: onClient(async (client, harness) => {
      await requestResult(harness, client, 'tck/push', { count: 2 });
      await harness.until(() => client.notifications('tck/pushed').length === 2, 'the pushed messages');
      const pushed = client.deliveries.filter(({ incoming }) => 'method' in (incoming as object));
      assert(
        pushed.every(({ info }) => info?.lane === undefined),
        'a pushed message has a lane',
      );
    }),
  },
];
