import type { JsonObject } from '@rxmcp/jsonrpc';
import { acceptedDial, all, lanesEnd, local, ownLanes, remote, sharedLane } from '../gates.js';
import type { Law } from '../law.js';
import { pause } from '../stage/clock.js';
import type { End } from '../stage/end.js';
import type { Stage } from '../stage/stage.js';
import { assert, equal } from '../stage/verdict.js';
import { echoes, resultOf } from '../stage/echo.js';
import { settles } from '../stage/failure.js';

const padLength = 4_000;
const pad = 'x'.repeat(padLength);
/** Far beyond any queue with a limit, also those of the system, which grow to tens of megabytes a socket; about 64 MB. */
const beyondBound = 16_000;
const batchLength = 64;
/** How long a send may take that waits for nobody. */
const patientMs = 50;
/** What takes longer, but not that long, waited for its carrier and not for whoever does not read. */
const slowMs = 200;
/** Long enough for a send to be seen waiting, also where some batches before it were taken late. */
const blocked = { forMs: 1_000 };

export const pressure: readonly Law[] = [
  {
    id: 'pressure/unread-waits',
    says: 'Sending to a side that does not read ends in waiting, and all arrives once it reads.',
    gate: all(local, sharedLane, acceptedDial),
    async prove(stage: Stage): Promise<void> {
      const { client, served } = await stage.pair('served');
      const sends = await untilOneWaits(stage, tells(client));
      served.start();
      const taken = await settles(stage, sends, 'the sends');
      await stage.untilCount(
        () => served.deliveries.length,
        taken,
        `the ${String(taken)} messages that were accepted`,
      );
      const wrong = served.told('count').findIndex((params, index) => params['index'] !== index);
      equal(wrong, -1, 'the first message out of order');
    },
  },
  {
    id: 'pressure/close-settles',
    says: 'Closing settles the sends that wait.',
    gate: all(local, sharedLane, acceptedDial),
    async prove(stage: Stage): Promise<void> {
      const { client } = await stage.pair('served');
      const sends = await untilOneWaits(stage, tells(client));
      await stage.close(client);
      await settles(stage, sends, 'a send that waited');
    },
  },
  {
    id: 'pressure/close-delivers',
    says: 'What was accepted for a side that does not read arrives when it reads while the connection closes.',
    gate: all(local, sharedLane, acceptedDial),
    async prove(stage: Stage): Promise<void> {
      const { client, served } = await stage.pair('served');
      const sends = await untilOneWaits(stage, tells(client));
      const accepted = new Set<number>();
      for (const [index, send] of sends.entries()) {
        send.then(
          () => accepted.add(index),
          () => undefined,
        );
      }
      const closing = stage.close(client);
      served.start();
      await closing;
      await settles(stage, sends, 'a send that waited');
      await stage.until(() => served.closes.length > 0, 'closed() on the served side');
      const arrived = new Set(served.told('count').map(({ index }) => index));
      const lost = [...accepted].filter((index) => !arrived.has(index)).length;
      equal(lost, 0, `messages that never arrived of the ${String(accepted.size)} accepted ones`);
    },
  },
  {
    id: 'pressure/burst',
    says: 'Of a burst in one turn everything arrives that was not refused with a typed error.',
    gate: all(local, sharedLane),
    async prove(stage: Stage): Promise<void> {
      const { client, served } = await stage.pair();
      const sends = Array.from({ length: 2_000 }, (_, index) => client.tell('count', { index, pad }));
      const taken = await settles(stage, sends, 'the sends of the burst');
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
    says: 'Sending into a lane that nobody reads ends in waiting, and all arrives once it is read.',
    gate: all(local, ownLanes, lanesEnd),
    async prove(stage: Stage): Promise<void> {
      const { client, served } = await stage.pair('client');
      void client.ask(1, 'tck/hold').catch(() => undefined);
      await stage.until(() => served.deliveries.length === 1, 'the request');
      const lane = served.deliveries[0]?.arrival?.lane ?? {};
      const sends = await untilOneWaits(stage, (params) =>
        served.send({ jsonrpc: '2.0', method: 'count', params }, { lane }),
      );
      client.start();
      const taken = await settles(stage, sends, 'the sends');
      await stage.untilCount(
        () => client.deliveries.length,
        taken,
        `the ${String(taken)} messages that were accepted`,
      );
      const wrong = client.told('count').findIndex((params, index) => params['index'] !== index);
      equal(wrong, -1, 'the first message out of order');
    },
  },
  {
    id: 'pressure/blocked-process',
    says: 'Sending to a process that is blocked ends in waiting, and works once it runs again.',
    gate: all(remote, sharedLane),
    async prove(stage: Stage): Promise<void> {
      const client = await stage.open();
      await resultOf(stage, client, 'tck/never-read', blocked);
      await pause(15);
      await settles(stage, await untilOneWaits(stage, tells(client)), 'the sends');
      await echoes(stage, client);
    },
  },
  {
    id: 'pressure/close-bounded',
    says: 'Closing while the other side is blocked takes no longer than it may.',
    gate: all(remote, sharedLane),
    async prove(stage: Stage): Promise<void> {
      const client = await stage.open();
      await resultOf(stage, client, 'tck/never-read', blocked);
      await pause(15);
      const sends = await untilOneWaits(stage, tells(client));
      await stage.close(client);
      await settles(stage, sends, 'a send that waited');
    },
  },
];

type Tell = (params: JsonObject) => Promise<void>;

function tells(client: End): Tell {
  return (params) => client.tell('count', params);
}

/** Sends in batches until a send waits or is refused; gives all the sends. */
async function untilOneWaits(stage: Stage, tell: Tell): Promise<Promise<void>[]> {
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
async function fateOf(stage: Stage, sends: readonly Promise<void>[]): Promise<'taken' | 'late' | 'waits'> {
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
