import type { JsonObject } from '@rxmcp/jsonrpc';
import { TransportError } from '@rxmcp/transport';
import type { Lane } from '@rxmcp/transport';
import { assert, equal } from '../stage/assert.js';
import { callFixtureHook } from '../harness/check-fixture.js';
import { pause, quiet } from '../harness/clock.js';
import { expectEcho } from '../harness/echo.js';
import { ConnectionProbe } from '../harness/connection-probe.js';
import type { Harness } from '../harness/harness.js';
import { TimerCount } from '../harness/timer-count.js';
import { endedOnce } from './close.js';
import {
  requiresAcceptAtDial,
  requiresAcceptAfterDial,
  all,
  requiresConnectionPerClient,
  requiresLocalServer,
  requiresRedial,
} from '../laws/gates.js';
import type { SkipCondition, Rule } from '../laws/law.js';

type Resources = () => readonly string[];

/** Handles, timers and sockets that keep the process alive; absent outside Node. Other timers are counted by themselves. */
const resources = (globalThis as { process?: { getActiveResourcesInfo?: Resources } }).process
  ?.getActiveResourcesInfo;

const countable: SkipCondition = () =>
  resources === undefined ? 'this runtime cannot count its active handles' : undefined;

const rounds = 8;
/** When dials are aborted, in milliseconds after their start: a handshake may be anywhere by then. */
const moments = [0, 1, 2, 5, 15];

export const leak: readonly Rule[] = [
  {
    id: 'leak/handles',
    description: 'Connections that were used and closed leave no handle and no timer.',
    skipIf: all(countable, requiresRedial),
    async verify(stage: Harness): Promise<void> {
      await leavesNothing(stage, () => useAndClose(stage));
    },
  },
  {
    id: 'leak/unstarted',
    description: 'Connections that were closed without being started leave no handle and no timer.',
    skipIf: all(countable, requiresRedial),
    async verify(stage: Harness): Promise<void> {
      await leavesNothing(stage, async () => stage.close(await stage.dial()));
    },
  },
  {
    id: 'leak/aborted-dials',
    description: 'Dials aborted on their way leave no handle and no timer.',
    skipIf: all(countable, requiresRedial),
    async verify(stage: Harness): Promise<void> {
      await leavesNothing(stage, (round) => abortAndClose(stage, moments[round % moments.length] ?? 0));
    },
  },
  {
    id: 'leak/served-ends',
    description:
      'Every served side is told its end, also where its connection was never started or its dial was aborted.',
    skipIf: all(requiresLocalServer, requiresRedial, requiresConnectionPerClient),
    async verify(stage: Harness): Promise<void> {
      for (let round = 0; round < rounds; round += 1) await useAndClose(stage);
      await endedOnce(stage, ...stage.accepted);
      equal(stage.accepted.length, rounds, 'connections that were accepted');
      // Whether these are accepted is a matter of when.
      await stage.close(await stage.dial());
      for (const afterMs of moments) await abortAndClose(stage, afterMs);
      await quiet();
      await endedOnce(stage, ...stage.accepted);
    },
  },
  {
    id: 'leak/stop-serving',
    description: 'Stopping to serve ends the connections that are open.',
    skipIf: requiresLocalServer,
    async verify(stage: Harness): Promise<void> {
      const { client, served } = await stage.pair();
      await expectEcho(stage, client);
      await stage.stopServing();
      await endedOnce(stage, ...(stage.acceptsAt === 'dial' ? [client] : []), served);
    },
  },
  {
    id: 'leak/stopped-ask',
    description:
      'A request after serving was stopped is refused or fails with a typed error, also on a new connection.',
    skipIf: all(requiresLocalServer, requiresAcceptAfterDial),
    async verify(stage: Harness): Promise<void> {
      const { client } = await stage.pair();
      await expectEcho(stage, client);
      await stage.stopServing();
      const late = await stage.dial();
      late.start();
      for (const end of [client, late]) await asksInVain(stage, end);
    },
  },
  {
    id: 'leak/stopped-dial',
    description:
      'A dial after serving was stopped is refused, or its connection ends without being accepted.',
    skipIf: all(requiresLocalServer, requiresRedial, requiresAcceptAtDial),
    async verify(stage: Harness): Promise<void> {
      await useAndClose(stage);
      const before = stage.accepted.length;
      await stage.stopServing();
      const late = await stage.dial().catch((error: unknown) => ({ error }));
      const accepted = (): number => stage.accepted.length - before;
      if (late instanceof ConnectionProbe) {
        late.start();
        await stage.holds(() => late.closes.length > 0 || accepted() > 0);
      } else {
        const typed = TransportError.is(late.error);
        assert(typed, `the dial rejected with no TransportError: ${String(late.error)}`);
      }
      await quiet();
      equal(accepted(), 0, 'connections that were accepted after the stop');
      if (late instanceof ConnectionProbe) await endedOnce(stage, late);
    },
  },
];

async function useAndClose(stage: Harness): Promise<void> {
  const client = await stage.open();
  await expectEcho(stage, client);
  await stage.close(client);
}

async function abortAndClose(stage: Harness, afterMs: number): Promise<void> {
  const controller = new AbortController();
  const dial = stage.dial({ signal: controller.signal });
  dial.catch(() => undefined);
  if (afterMs > 0) await pause(afterMs);
  controller.abort();
  const end = await dial.catch(() => undefined);
  if (end !== undefined) await stage.close(end);
}

/** The request has no result; the answer, the send, its lane or the connection says why. */
async function asksInVain(stage: Harness, end: ConnectionProbe): Promise<void> {
  const lane: Lane = {};
  const errors: unknown[] = [];
  end.request('vain', 'tck/echo', {}, { lane }).catch((error: unknown) => errors.push(error));
  const why = (): unknown[] => [...errors, ...end.endsOf(lane), ...end.closes];
  const refusals = (): JsonObject[] => end.answers('vain');
  await stage.until(() => why().length + refusals().length > 0, 'the end of a request that nobody serves');
  const [error] = why();
  const [refusal] = refusals();
  const typed = TransportError.is(error) || refusal?.['error'] !== undefined;
  assert(typed, `a request that nobody serves ended with ${String(error ?? JSON.stringify(refusal))}`);
}

/** After one connection was used there are as many handles as after any number of rounds more. */
async function leavesNothing(stage: Harness, round: (done: number) => Promise<void>): Promise<void> {
  const timers = new TimerCount();
  try {
    await useAndClose(stage);
    await closeIdle(stage);
    const base = counted();
    const set = timers.size;
    for (let done = 0; done < rounds; done += 1) await round(done);
    await closeIdle(stage);
    const excess = (): string[] => [...moreThan(base), ...leftBy(timers.size - set)];
    const back = await stage.holds(() => excess().length === 0);
    assert(
      back,
      `after ${String(rounds)} connections there are more handles than before: ${excess().join(', ')}`,
    );
  } finally {
    timers.stop();
  }
}

async function closeIdle(stage: Harness): Promise<void> {
  await callFixtureHook('closeIdle', () => stage.fixture.closeIdle?.());
}

/** How many of each kind; what the kit's own waiting makes is left out. */
function counted(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of resources?.() ?? []) {
    if (kind !== 'Immediate') counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}

function moreThan(base: ReadonlyMap<string, number>): string[] {
  return [...counted()].flatMap(([kind, count]) => {
    const more = count - (base.get(kind) ?? 0);
    return more > 0 ? [`${String(more)} of ${kind} (now ${String(count)})`] : [];
  });
}

/** A timer now and then may be anybody's, such as one that a platform sets for all; one in each round is not. */
function leftBy(timers: number): string[] {
  return timers < rounds ? [] : [`${String(timers)} timers, those counted that keep no process alive`];
}
