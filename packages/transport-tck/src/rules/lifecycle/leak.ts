import type { JsonObject } from '@rxmcp/jsonrpc';
import { TransportError, type Lane } from '@rxmcp/transport';
import { assert, equal, rejectionOf } from '../../base/assert.js';
import { callFixtureHook } from '../../fixture/check-fixture.js';
import { lateArrivals, now, pause, quiet } from '../../base/clock.js';
import { expectEcho } from '../../harness/echo.js';
import { endedOnce } from '../../harness/expectations.js';
import { ConnectionProbe } from '../../harness/connection-probe.js';
import { canCountHandles, countHandles, type HandleCount, moreHandles } from '../../process/handle-count.js';
import type { Harness } from '../../harness/harness.js';
import { TimerCount } from '../../process/timer-count.js';
import {
  requiresAcceptAtDial,
  requiresAcceptAfterDial,
  all,
  requiresConnectionPerClient,
  requiresOwnWire,
  requiresLocalServer,
  requiresRedial,
  requiresResidue,
} from '../skip-conditions.js';
import { onPair, type Rule, type SkipCondition } from '../rule.js';

const countable: SkipCondition = () =>
  canCountHandles ? undefined : 'this runtime cannot count its active handles';

const rounds = 8;
/** When dials are aborted, in milliseconds after their start, to hit different phases of a handshake. */
const moments = [0, 1, 2, 5, 15];

export const leak: readonly Rule[] = [
  {
    id: 'leak/handles',
    description: 'Connections that were used and closed leave no handle and no timer behind.',
    skipIf: all(countable, requiresRedial),
    async verify(harness: Harness): Promise<void> {
      await leavesNothing(
        harness,
        inRounds(async (_round, timers) => {
          await useAndClose(harness);
          timers.closed();
        }),
      );
    },
  },
  {
    id: 'leak/unstarted',
    description: 'Connections that were closed without being started leave no handle and no timer behind.',
    skipIf: all(countable, requiresRedial),
    async verify(harness: Harness): Promise<void> {
      await leavesNothing(
        harness,
        inRounds(async () => harness.close(await harness.dial())),
      );
    },
  },
  {
    id: 'leak/aborted-dials',
    description: 'Dials that were aborted leave no handle and no timer behind.',
    skipIf: all(countable, requiresRedial),
    async verify(harness: Harness): Promise<void> {
      await leavesNothing(
        harness,
        inRounds((round) => abortAndClose(harness, moments[round % moments.length] ?? 0)),
      );
    },
  },
  {
    id: 'leak/silent',
    description: 'Connections that are closed while nothing passes leave no handle and no timer behind.',
    skipIf: all(countable, requiresOwnWire, requiresLocalServer, requiresRedial, requiresAcceptAtDial),
    async verify(harness: Harness): Promise<void> {
      await leavesNothing(harness, () => endsInSilence(harness));
      harness.fixture.relay?.disturb();
    },
  },
  {
    id: 'leak/refused-dials',
    description: 'Dials to a server that has closed leave no handle and no timer behind.',
    skipIf: all(countable, requiresLocalServer, requiresRedial, requiresAcceptAtDial),
    async verify(harness: Harness): Promise<void> {
      await leavesNothing(harness, async () => {
        await harness.stopServing();
        await Promise.all(Array.from({ length: rounds }, () => dialInVain(harness)));
      });
    },
  },
  {
    id: 'leak/server',
    description: 'A server that has closed leaves no handle behind.',
    skipIf: countable,
    async verify(harness: Harness): Promise<void> {
      await useAndClose(harness);
      await closeIdle(harness);
      await harness.stopServing();
      const excess = (): string[] => moreHandles(harness.handlesBefore, countHandles());
      await harness.holds(() => excess().length === 0);
      equal(excess(), [], 'handles that were not there before it was served');
    },
  },
  {
    id: 'leak/served-ends',
    description:
      'Every served side is notified of its end, also where its connection was never started or its dial was aborted.',
    skipIf: all(requiresLocalServer, requiresRedial, requiresConnectionPerClient),
    async verify(harness: Harness): Promise<void> {
      for (let round = 0; round < rounds; round += 1) await useAndClose(harness);
      await endedOnce(harness, ...harness.accepted);
      equal(harness.accepted.length, rounds, 'connections that were accepted');
      // Whether these dials are accepted depends on timing.
      await harness.close(await harness.dial());
      for (const afterMs of moments) await abortAndClose(harness, afterMs);
      await quiet();
      await endedOnce(harness, ...harness.accepted);
    },
  },
  {
    id: 'leak/residue',
    description:
      'Messages that were read, and connections that were used, never started or aborted, leave nothing behind in what connects the sides.',
    skipIf: all(requiresResidue, requiresRedial),
    async verify(harness: Harness): Promise<void> {
      const count = async (): Promise<number> =>
        callFixtureHook('residue', () => harness.fixture.residue?.() ?? 0);
      const client = await harness.open();
      await expectEcho(harness, client);
      const used = await count();
      for (let more = 0; more < 30; more += 1) await expectEcho(harness, client);
      const read = await fallsTo(harness, used, count);
      assert(
        read <= used,
        `after 30 more requests ${String(read)} entries are kept, and ${String(used)} after the first`,
      );
      await harness.close(client);
      let base = await count();
      // The first connection may still be on its way out.
      await lateArrivals();
      base = Math.min(base, await count());
      for (let round = 0; round < rounds; round += 1) {
        await useAndClose(harness);
        await harness.close(await harness.dial());
        await abortAndClose(harness, moments[round % moments.length] ?? 0);
      }
      const left = await fallsTo(harness, base, count);
      assert(
        left <= base,
        `after ${String(rounds)} connections ${String(left)} entries are kept, and ${String(base)} after the first`,
      );
    },
  },
  {
    id: 'leak/stop-serving',
    description: 'Closing the server ends its open connections.',
    skipIf: requiresLocalServer,
    verify: onPair(async ({ client, served }, harness) => {
      await expectEcho(harness, client);
      await harness.stopServing();
      await endedOnce(harness, ...(harness.acceptsAt === 'dial' ? [client] : []), served);
    }),
  },
  {
    id: 'leak/stopped-ask',
    description:
      'A request after the server closed is rejected or fails with a typed error, also on a new connection.',
    skipIf: all(requiresLocalServer, requiresAcceptAfterDial),
    verify: onPair(async ({ client }, harness) => {
      await expectEcho(harness, client);
      await harness.stopServing();
      const late = await harness.dial();
      late.start();
      for (const end of [client, late]) await asksInVain(harness, end);
    }),
  },
  {
    id: 'leak/stopped-dial',
    description: 'A dial after the server closed rejects, or its connection ends without being accepted.',
    skipIf: all(requiresLocalServer, requiresRedial, requiresAcceptAtDial),
    async verify(harness: Harness): Promise<void> {
      await useAndClose(harness);
      const before = harness.accepted.length;
      await harness.stopServing();
      const dial = harness.dial();
      const late = (await rejectionOf(dial)) ?? (await dial);
      const accepted = (): number => harness.accepted.length - before;
      if (late instanceof ConnectionProbe) {
        late.start();
        await harness.holds(() => late.closes.length > 0 || accepted() > 0);
      } else {
        const typed = TransportError.is(late.error);
        assert(typed, `the dial rejected with no TransportError: ${String(late.error)}`);
      }
      await quiet();
      equal(accepted(), 0, 'connections that were accepted after the stop');
      if (late instanceof ConnectionProbe) await endedOnce(harness, late);
    },
  },
];

/** Resolves with the count once it is at most `base`, or when the time of a step is over. */
async function fallsTo(harness: Harness, base: number, count: () => Promise<number>): Promise<number> {
  const end = now() + harness.timeouts.stepTimeoutMs;
  let left = await count();
  for (; left > base && now() < end; left = await count()) await pause(5);
  return left;
}

async function useAndClose(harness: Harness): Promise<void> {
  const client = await harness.open();
  await expectEcho(harness, client);
  await harness.close(client);
}

async function abortAndClose(harness: Harness, afterMs: number): Promise<void> {
  const controller = new AbortController();
  const dial = harness.dial({ signal: controller.signal });
  dial.catch(() => undefined);
  if (afterMs > 0) await pause(afterMs);
  controller.abort();
  const rejected = await rejectionOf(dial);
  if (rejected === undefined) await harness.close(await dial);
}

/** Dials to a side that no longer serves. Such a dial may connect, and end then. */
async function dialInVain(harness: Harness): Promise<void> {
  const dial = harness.dial();
  if ((await rejectionOf(dial)) === undefined) await harness.close(await dial);
}

/** Fails unless a request without a result ends with a reason: in its response, its send, its lane or its connection. */
async function asksInVain(harness: Harness, end: ConnectionProbe): Promise<void> {
  const lane: Lane = {};
  const errors: unknown[] = [];
  end.request('vain', 'tck/echo', {}, { lane }).catch((error: unknown) => errors.push(error));
  const why = (): unknown[] => [...errors, ...end.endsOf(lane), ...end.closes];
  const rejections = (): JsonObject[] => end.responses('vain');
  await harness.until(() => why().length + rejections().length > 0, 'the end of a request without a server');
  const [error] = why();
  const [rejection] = rejections();
  const typed = TransportError.is(error) || rejection?.['error'] !== undefined;
  assert(typed, `a request without a server ended with ${String(error ?? JSON.stringify(rejection))}`);
}

/** Closes connections on both sides while nothing passes. */
async function endsInSilence(harness: Harness): Promise<void> {
  const clients = await Promise.all(Array.from({ length: rounds }, () => harness.open()));
  // A connection may be accepted after its dial has resolved.
  for (const client of clients) await expectEcho(harness, client);
  harness.fixture.relay?.disturb({ kind: 'hold' });
  await Promise.all([...clients, ...harness.accepted].map((end) => harness.close(end)));
}

function inRounds(
  round: (done: number, timers: TimerCount) => Promise<void>,
): (timers: TimerCount) => Promise<void> {
  return async (timers) => {
    for (let done = 0; done < rounds; done += 1) await round(done, timers);
  };
}

/** Fails where there are more handles after several connections than after the first one. */
async function leavesNothing(harness: Harness, act: (timers: TimerCount) => Promise<void>): Promise<void> {
  const count = (): HandleCount => countHandles(harness.fixture.relay);
  const timers = new TimerCount();
  try {
    await useAndClose(harness);
    await closeIdle(harness);
    const base = count();
    const set = timers.size;
    await act(timers);
    await closeIdle(harness);
    const excess = (): string[] => [...moreHandles(base, count()), ...leftBy(timers.size - set)];
    const back = await harness.holds(() => excess().length === 0);
    assert(
      back,
      `after ${String(rounds)} connections there are more handles than before: ${excess().join(', ')}`,
    );
  } finally {
    timers.stop();
  }
}

async function closeIdle(harness: Harness): Promise<void> {
  await callFixtureHook('closeIdle', () => harness.fixture.closeIdle?.());
}

/** A single timer may belong to the platform. A timer in each round belongs to the transport. */
function leftBy(timers: number): string[] {
  return timers < rounds ? [] : [`${String(timers)} timers, those counted that keep no process alive`];
}
