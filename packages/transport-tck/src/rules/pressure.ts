import type { JsonObject } from '@rxmcp/jsonrpc';
import { assert, equal } from '../stage/assert.js';
import { pause } from '../harness/clock.js';
import { expectEcho, requestResult } from '../harness/echo.js';
import type { ConnectionProbe } from '../harness/connection-probe.js';
import { arrivals, expectAllAccepted, settleSends } from '../harness/failure.js';
import type { Harness } from '../harness/harness.js';
import {
  requiresAcceptAtDial,
  all,
  requiresLaneEnd,
  requiresLocalServer,
  requiresLanePerRequest,
  requiresServerInitiates,
  requiresOutOfProcessServer,
  requiresSharedLane,
} from '../laws/gates.js';
import type { Rule } from '../laws/law.js';

const padLength = 4_000;
const pad = 'x'.repeat(padLength);
/** Far beyond any queue with a limit, also those of the system, which grow to tens of megabytes a socket; about 68 MB. */
const beyondBound = 17_000;
const batchLength = 64;
/** How long a send may take that waits for nobody. */
const patientMs = 50;
/** What takes longer, but not that long, waited for its carrier and not for whoever does not read. */
const slowMs = 200;
/** Long enough for a send to be seen waiting, also where some batches before it were taken late. */
const blocked = { forMs: 1_000 };

export const pressure: readonly Rule[] = [
  {
    id: 'pressure/unread-waits',
    description: 'Sending to a side that does not read ends in waiting, and all arrives once it reads.',
    skipIf: all(requiresLocalServer, requiresSharedLane, requiresAcceptAtDial),
    async verify(stage: Harness): Promise<void> {
      const { client, served } = await stage.pair('served');
      await waitsForReader(stage, tells(client), served);
    },
  },
  {
    id: 'pressure/unread-dialled',
    description:
      'Sending to a dialling side that does not read ends in waiting, and all arrives once it reads, or in OVERFLOW.',
    skipIf: all(requiresLocalServer, requiresSharedLane, requiresAcceptAtDial, requiresServerInitiates),
    async verify(stage: Harness): Promise<void> {
      const { client, served } = await stage.pair('client');
      await waitsForReader(stage, tells(served), client);
    },
  },
  {
    id: 'pressure/close-settles',
    description: 'Closing settles the sends that wait, and none arrives that is said to be not sent.',
    skipIf: all(requiresLocalServer, requiresSharedLane, requiresAcceptAtDial),
    async verify(stage: Harness): Promise<void> {
      const { client, served } = await stage.pair('served');
      const sends = await untilOneWaits(stage, tells(client));
      await stage.close(client);
      const settled = await settleSends(stage, sends, 'a send that waited');
      served.start();
      await stage.until(() => served.closes.length > 0, 'closed() on the served side');
      expectAllAccepted(settled, served);
    },
  },
  {
    id: 'pressure/peer-close-settles',
    description: 'Closing settles the sends of the other side that wait.',
    skipIf: all(requiresLocalServer, requiresSharedLane, requiresAcceptAtDial),
    async verify(stage: Harness): Promise<void> {
      const { client, served } = await stage.pair('served');
      const sends = await untilOneWaits(stage, tells(client));
      await stage.close(served);
      await settleSends(stage, sends, 'a send that waited');
    },
  },
  {
    id: 'pressure/close-delivers',
    description:
      'What was accepted for a side that does not read arrives when it reads while the connection closes.',
    skipIf: all(requiresLocalServer, requiresSharedLane, requiresAcceptAtDial),
    async verify(stage: Harness): Promise<void> {
      const { client, served } = await stage.pair('served');
      const sends = await untilOneWaits(stage, tells(client));
      const closing = stage.close(client);
      served.start();
      await closing;
      const settled = await settleSends(stage, sends, 'a send that waited');
      await stage.until(() => served.closes.length > 0, 'closed() on the served side');
      const { lost } = arrivals(settled, served);
      equal(lost, 0, `messages that never arrived of the ${String(settled.accepted.length)} accepted ones`);
      expectAllAccepted(settled, served);
    },
  },
  {
    id: 'pressure/burst',
    description: 'Of a burst in one turn everything arrives that was not refused with a typed error.',
    skipIf: all(requiresLocalServer, requiresSharedLane),
    async verify(stage: Harness): Promise<void> {
      const { client, served } = await stage.pair();
      const sends = Array.from({ length: 2_000 }, (_, index) => client.notify('count', { index, pad }));
      const settled = await settleSends(stage, sends, 'the sends of the burst');
      const taken = settled.accepted.length;
      await stage.untilCount(
        () => served.deliveries.length,
        taken,
        `the ${String(taken)} messages that were accepted`,
      );
      equal(served.told('count').length, taken, 'messages that arrived');
    },
  },
  {
    id: 'pressure/unread-lane',
    description: 'Sending into a lane that nobody reads ends in waiting, and all arrives once it is read.',
    skipIf: all(requiresLocalServer, requiresLanePerRequest, requiresLaneEnd),
    async verify(stage: Harness): Promise<void> {
      const { client, served } = await stage.pair('client');
      void client.request(1, 'tck/hold').catch(() => undefined);
      await stage.until(() => served.deliveries.length === 1, 'the request');
      const lane = served.deliveries[0]?.info?.lane ?? {};
      const tell: Tell = (params) => served.send({ jsonrpc: '2.0', method: 'count', params }, { lane });
      await waitsForReader(stage, tell, client);
    },
  },
  {
    id: 'pressure/blocked-process',
    description: 'Sending to a process that is blocked ends in waiting, and works once it runs again.',
    skipIf: all(requiresOutOfProcessServer, requiresSharedLane),
    async verify(stage: Harness): Promise<void> {
      const client = await stage.open();
      await requestResult(stage, client, 'tck/never-read', blocked);
      await pause(15);
      await settleSends(stage, await untilOneWaits(stage, tells(client)), 'the sends');
      await expectEcho(stage, client);
    },
  },
  {
    id: 'pressure/close-bounded',
    description: 'Closing while the other side is blocked takes no longer than it may.',
    skipIf: all(requiresOutOfProcessServer, requiresSharedLane),
    async verify(stage: Harness): Promise<void> {
      const client = await stage.open();
      await requestResult(stage, client, 'tck/never-read', blocked);
      await pause(15);
      const sends = await untilOneWaits(stage, tells(client));
      await stage.close(client);
      await settleSends(stage, sends, 'a send that waited');
    },
  },
];

type Tell = (params: JsonObject) => Promise<void>;

function tells(client: ConnectionProbe): Tell {
  return (params) => client.notify('count', params);
}

/** Sends to `reader`, which has not started, until one waits; then it starts, and gets all that was accepted. */
async function waitsForReader(stage: Harness, tell: Tell, reader: ConnectionProbe): Promise<void> {
  const sends = await untilOneWaits(stage, tell);
  reader.start();
  const { accepted } = await settleSends(stage, sends, 'the sends');
  const taken = accepted.length;
  // Where a platform cannot stop reading, a dialling side that does not start has to end at some time.
  const overflown = (): boolean => reader.side === 'dialled' && reader.ends().includes('OVERFLOW');
  await stage.untilCount(
    () => (overflown() ? taken : reader.deliveries.length),
    taken,
    `the ${String(taken)} messages that were accepted`,
  );
  if (overflown()) return;
  const wrong = reader.told('count').findIndex((params, index) => params['index'] !== index);
  equal(wrong, -1, 'the first message out of order');
}

/** Sends in batches until a send waits or is refused; gives all the sends. */
async function untilOneWaits(stage: Harness, tell: Tell): Promise<Promise<void>[]> {
  const sends: Promise<void>[] = [];
  let length = batchLength;
  while (sends.length < beyondBound) {
    const batch = Array.from({ length }, (_, index) => tell({ index: sends.length + index, pad }));
    sends.push(...batch);
    const fate = await fateOf(stage, batch);
    if (fate === 'waits') return sends;
    // A carrier that says late what it has taken is not waited for too often.
    if (fate === 'late') length *= 2;
  }
  assert(
    false,
    `${String(sends.length)} messages of ${String(padLength)} bytes were accepted while nobody read them`,
  );
}

/** Whether all are taken, in the time that a carrier with room needs or late, or some wait or are refused. */
async function fateOf(stage: Harness, sends: readonly Promise<void>[]): Promise<'taken' | 'late' | 'waits'> {
  let taken = 0;
  let refused = 0;
  const count = (): void => {
    taken += 1;
  };
  for (const send of sends) send.then(count, () => (refused += 1));
  const settled = (): boolean => taken + refused === sends.length;
  const what = 'sends to a side that does not read';
  const inTime = await stage.holds(settled, patientMs, what);
  if (!inTime && !(await stage.holds(settled, slowMs - patientMs, what))) return 'waits';
  if (refused > 0) return 'waits';
  return inTime ? 'taken' : 'late';
}
