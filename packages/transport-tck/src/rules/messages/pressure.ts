import type { JsonObject } from '@rxmcp/jsonrpc';
import { assert, equal } from '../../base/assert.js';
import { pause } from '../../base/clock.js';
import { expectEcho, requestResult } from '../../harness/echo.js';
import type { ConnectionProbe } from '../../harness/connection-probe.js';
import {
  arrivals,
  expectAllAccepted,
  expectAllArrived,
  settleSends,
  endedOnce,
} from '../../harness/expectations.js';
import type { Harness } from '../../harness/harness.js';
import {
  requiresAcceptAtDial,
  all,
  requiresLaneEnd,
  requiresLocalServer,
  requiresReadPausing,
  requiresLanePerRequest,
  requiresServerInitiates,
  requiresOutOfProcessServer,
  requiresSharedLane,
} from '../skip-conditions.js';
import { onClient, onPair, type Rule } from '../rule.js';

const padLength = 4_000;
const pad = 'x'.repeat(padLength);
/** About 68 MB: more than any bounded queue holds, those of the system included, which grow to tens of megabytes a socket. */
const beyondBound = 17_000;
const batchLength = 64;
/** How long a send may take that does not wait for a reader, in milliseconds. */
const patientMs = 50;
/** A send that takes longer, but at most this long, waited for its channel and not for a reader. In milliseconds. */
const slowMs = 200;
/** Long enough to observe a waiting send, also where some batches before it were accepted late. */
const blocked = { forMs: 1_000 };

export const pressure: readonly Rule[] = [
  {
    id: 'pressure/unread-waits',
    description:
      'Sends to a side that does not read wait eventually, and every message arrives once it reads.',
    skipIf: all(requiresLocalServer, requiresSharedLane, requiresAcceptAtDial),
    async verify(harness: Harness): Promise<void> {
      const { client, served } = await harness.pair('served');
      await waitsForReader(harness, tells(client), served);
    },
  },
  {
    id: 'pressure/unread-dialled',
    description:
      'Sends to a dialling side that does not read wait eventually, and every message arrives once it reads, or the connection ends with OVERFLOW.',
    skipIf: all(requiresLocalServer, requiresSharedLane, requiresAcceptAtDial, requiresServerInitiates),
    async verify(harness: Harness): Promise<void> {
      const { client, served } = await harness.pair('client');
      await waitsForReader(harness, tells(served), client);
    },
  },
  {
    id: 'pressure/close-settles',
    description: 'Closing settles waiting sends, and no message arrives whose send rejected as not-sent.',
    skipIf: all(requiresLocalServer, requiresSharedLane, requiresAcceptAtDial),
    async verify(harness: Harness): Promise<void> {
      const { client, served } = await harness.pair('served');
      const sends = await untilOneWaits(harness, tells(client));
      await harness.close(client);
      const settled = await settleSends(harness, sends, 'a send that waited');
      served.start();
      await harness.until(() => served.closes.length > 0, 'closed() on the served side');
      expectAllAccepted(settled, served);
    },
  },
  {
    id: 'pressure/peer-close-settles',
    description: 'Closing settles the waiting sends of the other side, which is notified of the end.',
    skipIf: all(requiresLocalServer, requiresSharedLane, requiresAcceptAtDial),
    async verify(harness: Harness): Promise<void> {
      const { client, served } = await harness.pair('served');
      const sends = await untilOneWaits(harness, tells(client));
      await harness.close(served);
      await settleSends(harness, sends, 'a send that waited');
      await endedOnce(harness, client);
    },
  },
  {
    id: 'pressure/close-delivers',
    description:
      'Messages accepted for a side that does not read arrive if it reads while the connection closes.',
    skipIf: all(requiresLocalServer, requiresSharedLane, requiresAcceptAtDial),
    async verify(harness: Harness): Promise<void> {
      const { client, served } = await harness.pair('served');
      const sends = await untilOneWaits(harness, tells(client));
      const closing = harness.close(client);
      served.start();
      await closing;
      const settled = await settleSends(harness, sends, 'a send that waited');
      await harness.until(() => served.closes.length > 0, 'closed() on the served side');
      expectAllArrived(settled, served);
    },
  },
  {
    id: 'pressure/reads-no-further',
    description:
      'While sends of the served side wait, it reads no further: sends to it wait eventually, and every message arrives in the end.',
    skipIf: all(requiresReadPausing, requiresLocalServer, requiresSharedLane, requiresAcceptAtDial),
    async verify(harness: Harness): Promise<void> {
      const { client, served } = await harness.pair('client');
      const notifications = await untilOneWaits(harness, tells(served));
      const requests = await untilOneWaits(harness, tells(client));
      client.start();
      for (const [sends, reader] of [
        [notifications, client],
        [requests, served],
      ] as const) {
        const { accepted } = await settleSends(harness, sends, 'the sends');
        await harness.untilCount(
          () => reader.deliveries.length,
          accepted.length,
          `the ${String(accepted.length)} messages that were accepted`,
        );
      }
    },
  },
  {
    id: 'pressure/burst',
    description: 'Every message of a burst arrives, or its send rejects with a typed error.',
    skipIf: all(requiresLocalServer, requiresSharedLane),
    verify: onPair(async ({ client, served }, harness) => {
      const sends = Array.from({ length: 2_000 }, (_, index) => client.notify('count', { index, pad }));
      const settled = await settleSends(harness, sends, 'the sends of the burst');
      const taken = settled.accepted.length;
      await harness.untilCount(
        () => served.deliveries.length,
        taken,
        `the ${String(taken)} messages that were accepted`,
      );
      await harness.until(
        () => arrivals(settled, served).lost === 0,
        `all of the ${String(taken)} messages that were accepted`,
      );
      expectAllAccepted(settled, served);
      const arrived = served.notifications('count').map(({ index }) => index);
      equal(arrived.length - new Set(arrived).size, 0, 'messages that arrived twice');
    }),
  },
  {
    id: 'pressure/unread-lane',
    description:
      'Sends into a lane that is not read wait eventually, and every message arrives once it is read.',
    skipIf: all(requiresLocalServer, requiresLanePerRequest, requiresLaneEnd),
    async verify(harness: Harness): Promise<void> {
      const { client, served } = await harness.pair('client');
      void client.request(1, 'tck/hold').catch(() => undefined);
      await harness.until(() => served.deliveries.length === 1, 'the request');
      const lane = served.deliveries[0]?.info?.lane ?? {};
      const tell: Tell = (params) => served.send({ jsonrpc: '2.0', method: 'count', params }, { lane });
      await waitsForReader(harness, tell, client);
    },
  },
  {
    id: 'pressure/blocked-process',
    description: 'Sends to a blocked process wait eventually, and succeed once it runs again.',
    skipIf: all(requiresOutOfProcessServer, requiresSharedLane),
    verify: onClient(async (client, harness) => {
      await requestResult(harness, client, 'tck/never-read', blocked);
      await pause(15);
      await settleSends(harness, await untilOneWaits(harness, tells(client)), 'the sends');
      await expectEcho(harness, client);
    }),
  },
  {
    id: 'pressure/close-bounded',
    description: 'Closing while the other side is blocked takes no longer than a close may.',
    skipIf: all(requiresOutOfProcessServer, requiresSharedLane),
    verify: onClient(async (client, harness) => {
      await requestResult(harness, client, 'tck/never-read', blocked);
      await pause(15);
      const sends = await untilOneWaits(harness, tells(client));
      await harness.close(client);
      await settleSends(harness, sends, 'a send that waited');
    }),
  },
];

type Tell = (params: JsonObject) => Promise<void>;

function tells(client: ConnectionProbe): Tell {
  return (params) => client.notify('count', params);
}

/** Sends to `reader`, which has not started, until a send waits. Then `reader` starts and receives all accepted messages. */
async function waitsForReader(harness: Harness, tell: Tell, reader: ConnectionProbe): Promise<void> {
  const sends = await untilOneWaits(harness, tell);
  reader.start();
  const { accepted } = await settleSends(harness, sends, 'the sends');
  const taken = accepted.length;
  // Where a platform cannot stop reading, a dialling side that is not started must end eventually.
  const overflown = (): boolean => reader.side === 'dialled' && reader.ends().includes('OVERFLOW');
  await harness.untilCount(
    () => (overflown() ? taken : reader.deliveries.length),
    taken,
    `the ${String(taken)} messages that were accepted`,
  );
  if (overflown()) return;
  const wrong = reader.notifications('count').findIndex((params, index) => params['index'] !== index);
  equal(wrong, -1, 'the first message out of order');
}

/** Sends in batches until a send waits or rejects; returns all sends. */
async function untilOneWaits(harness: Harness, tell: Tell): Promise<Promise<void>[]> {
  const sends: Promise<void>[] = [];
  let length = batchLength;
  while (sends.length < beyondBound) {
    const batch = Array.from({ length }, (_, index) => tell({ index: sends.length + index, pad }));
    sends.push(...batch);
    const fate = await fateOf(harness, batch);
    if (fate === 'waits') return sends;
    // A transport that resolves accepted sends late is waited for a few times only.
    if (fate === 'late') length *= 2;
  }
  assert(
    false,
    `${String(sends.length)} messages of ${String(padLength)} bytes were accepted although the other side did not read`,
  );
}

/** Whether all sends were accepted, in the time of a channel with room or late, or some wait or rejected. */
async function fateOf(
  harness: Harness,
  sends: readonly Promise<void>[],
): Promise<'taken' | 'late' | 'waits'> {
  let taken = 0;
  let rejected = 0;
  const count = (): void => {
    taken += 1;
  };
  for (const send of sends) send.then(count, () => (rejected += 1));
  const settled = (): boolean => taken + rejected === sends.length;
  const what = 'sends to a side that does not read';
  const inTime = await harness.holds(settled, patientMs, what);
  if (!inTime && !(await harness.holds(settled, slowMs - patientMs, what))) return 'waits';
  if (rejected > 0) return 'waits';
  return inTime ? 'taken' : 'late';
}
