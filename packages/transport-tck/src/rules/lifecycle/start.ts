import type { Traits } from '@rxmcp/transport';
import { assert, equal, rejectionOf } from '../../base/assert.js';
import { lateArrivals, pause, quiet } from '../../base/clock.js';
import { expectEcho, requestResult } from '../../harness/echo.js';
import type { ConnectionProbe } from '../../harness/connection-probe.js';
import { expectTransportError, endedOnce } from '../../harness/expectations.js';
import type { Harness } from '../../harness/harness.js';
import {
  requiresAcceptAtDial,
  requiresConnectionPerClient,
  all,
  requiresEndpoint,
  requiresFirstMessageTimeout,
  requiresLocalServer,
  requiresSession,
  requiresServerInitiates,
  requiresRedial,
} from '../skip-conditions.js';
import { onClient, onPair, type Rule } from '../rule.js';

/** How long nothing passes, in milliseconds: a little longer than a second. */
const idleMs = 1_100;

export const start: readonly Rule[] = [
  {
    id: 'start/one-connection',
    description: 'One dial gives one connection on the served side.',
    skipIf: all(requiresLocalServer, requiresConnectionPerClient),
    async verify(harness: Harness): Promise<void> {
      const client = await harness.open();
      await expectEcho(harness, client);
      await quiet();
      harness.expectOneAccepted(0);
    },
  },
  {
    id: 'start/traits',
    description: 'A connection has complete traits, and the traits of both sides are compatible.',
    verify: onClient(async (client, harness) => {
      assert(harness.fixture.transport.name.length > 0, 'transport.name is empty');
      checkTraits(client.connection.traits);
      const [served] = harness.accepted;
      if (served === undefined) return;
      checkTraits(served.connection.traits);
      checkFit(client.connection.traits, served.connection.traits, harness.acceptsAt === 'dial');
    }),
  },
  {
    id: 'start/not-inside',
    description: 'Nothing is delivered during the call of start.',
    skipIf: all(requiresLocalServer, requiresAcceptAtDial),
    async verify(harness: Harness): Promise<void> {
      const { client, served } = await harness.pair('served');
      void client.notify('early').catch(() => undefined);
      await lateArrivals();
      served.start();
      equal(
        harness.calls.inside.filter((call) => call.endsWith('start')),
        [],
        'deliveries inside start',
      );
    },
  },
  {
    id: 'start/holds-for-served',
    description: 'Messages sent before the served side started arrive after its start, in order.',
    skipIf: all(requiresLocalServer, requiresAcceptAtDial),
    async verify(harness: Harness): Promise<void> {
      const { client, served } = await harness.pair('served');
      await holds(harness, client, served);
    },
  },
  {
    id: 'start/holds-opening',
    description: 'A handshake request that came before the served side started is answered after its start.',
    skipIf: all(requiresLocalServer, requiresSession),
    async verify(harness: Harness): Promise<void> {
      const { client, served } = await harness.pair('served');
      await lateArrivals();
      equal(served.openings.length, 0, 'openings delivered before start');
      served.start();
      equal(served.openings.length, 0, 'openings delivered inside start');
      await harness.until(() => client.deliveries.length > 0, 'the response to the opening');
    },
  },
  {
    id: 'start/accepted-once',
    description: 'An endpoint is accepted once and stays open when its clients disconnect.',
    skipIf: all(requiresLocalServer, requiresEndpoint),
    verify: onPair(async ({ client, served }, harness) => {
      const other = await harness.open();
      await Promise.all([expectEcho(harness, client), expectEcho(harness, other)]);
      await harness.close(client);
      await quiet();
      equal([harness.accepted.length, served.closes.length], [1, 0], 'connections accepted and ended');
      await expectEcho(harness, other);
    }),
  },
  {
    id: 'start/holds-for-dialled',
    description: 'Messages sent before the dialling side started arrive after its start, in order.',
    skipIf: all(requiresLocalServer, requiresServerInitiates),
    async verify(harness: Harness): Promise<void> {
      const { client, served } = await harness.pair('client');
      await holds(harness, served, client);
    },
  },
  {
    id: 'start/ended-before',
    description: 'A side that starts after the other one has ended is notified after start, once.',
    skipIf: all(requiresLocalServer, requiresAcceptAtDial),
    async verify(harness: Harness): Promise<void> {
      const { client, served } = await harness.pair('client');
      await harness.close(served);
      await startsLate(harness, client);
      if (!client.connection.traits.redialable) return;
      const other = await harness.pair('served');
      await harness.close(other.client);
      await startsLate(harness, other.served);
    },
  },
  {
    id: 'start/first-message',
    description:
      'A peer that sends nothing within `firstMessageTimeoutMs` loses its connection with STALLED, and one that sends keeps it.',
    skipIf: all(requiresFirstMessageTimeout, requiresLocalServer, requiresAcceptAtDial),
    async verify(harness: Harness): Promise<void> {
      const { firstMessageTimeoutMs = 0 } = harness.fixture;
      const active = await harness.open();
      await expectEcho(harness, active);
      const { client, served } = await harness.pair();
      const withinMs = firstMessageTimeoutMs + harness.timeouts.stepTimeoutMs;
      await harness.until(
        () => served.closes.length > 0,
        'the end of a connection without a message',
        withinMs,
      );
      equal(served.ends(), ['STALLED'], 'the end on the served side');
      await endedOnce(harness, served, client);
      await expectEcho(harness, active);
    },
  },
  {
    id: 'start/stays-open',
    description:
      'Nothing ends a connection on which nothing passes for a second, nor a request without a response.',
    async verify(harness: Harness): Promise<void> {
      const silent = await harness.open();
      await expectEcho(harness, silent);
      const asking = silent.connection.traits.redialable ? await harness.open() : silent;
      const lane = await asking.request('held', 'tck/hold', { count: 1 });
      const arrived = (): boolean => asking.notifications('tck/progressed').length === 1;
      await harness.until(arrived, 'a message of the request on hold');
      await pause(Math.min(idleMs, harness.timeouts.ruleTimeoutMs / 2));
      for (const end of [silent, asking, ...harness.accepted])
        equal([...end.ends(), ...end.endsOf(lane)], [], `ends on the ${end.side} side`);
      await requestResult(harness, asking, 'tck/release');
      await harness.until(() => asking.responses('held').length === 1, 'the response to the request on hold');
      await expectEcho(harness, silent);
    },
  },
  {
    id: 'start/redial',
    description: 'Dialling again makes a new connection, whatever happened to the first one.',
    skipIf: requiresRedial,
    async verify(harness: Harness): Promise<void> {
      const first = await harness.open();
      const second = await harness.open();
      await harness.close(first);
      await expectEcho(harness, second);
      await expectEcho(harness, await harness.open());
    },
  },
  {
    id: 'start/aborted-dial',
    description: 'A dial with an aborted signal rejects with DIAL_ABORTED.',
    async verify(harness: Harness): Promise<void> {
      const dial = harness.fixture.transport.dial({ signal: AbortSignal.abort() });
      const error = await expectTransportError(harness, dial, 'dial() with an aborted signal');
      equal(error.code, 'DIAL_ABORTED', 'the code');
    },
  },
  {
    id: 'start/aborting-dial',
    description:
      'A dial that is aborted while it runs rejects with DIAL_ABORTED, or has already connected and works.',
    async verify(harness: Harness): Promise<void> {
      const controller = new AbortController();
      const dial = harness.dial({ signal: controller.signal });
      controller.abort();
      const rejected = await rejectionOf(dial);
      if (rejected !== undefined) {
        equal((rejected.error as { code?: unknown } | undefined)?.code, 'DIAL_ABORTED', 'the code');
      } else {
        const connected = await dial;
        await harness.begin(connected);
        await expectEcho(harness, connected);
      }
    },
  },
];

/** Fails unless the messages that `from` sends before `to` starts arrive after that start. */
async function holds(harness: Harness, from: ConnectionProbe, to: ConnectionProbe): Promise<void> {
  const sent = [0, 1, 2];
  for (const index of sent) void from.notify('early', { index }).catch(() => undefined);
  await lateArrivals();
  to.start();
  equal(to.notifications('early').length, 0, 'messages delivered inside start');
  await harness.until(
    () => to.notifications('early').length >= sent.length,
    'the 3 messages sent before start (read before start?)',
  );
  const indices = to.notifications('early').map(({ index }) => index);
  equal(indices, sent, 'the order of arrival');
}

async function startsLate(harness: Harness, end: ConnectionProbe): Promise<void> {
  await lateArrivals();
  equal(end.closes.length, 0, 'calls of closed() before start');
  end.start();
  equal(end.closes.length, 0, 'calls of closed() inside start');
  await endedOnce(harness, end);
}

/** Fails on a trait that is missing or has an invalid value. */
function checkTraits(traits: Traits): void {
  const { lanes, idScope, serverInitiates, clientReplies, carriesHeaders, redialable, maxMessageBytes } =
    traits;
  assert(lanes === 'shared' || lanes === 'per-request', `traits.lanes is ${String(lanes)}`);
  assert(idScope === 'connection' || idScope === 'lane', `traits.idScope is ${String(idScope)}`);
  for (const [name, value] of Object.entries({
    serverInitiates,
    clientReplies,
    carriesHeaders,
    redialable,
  })) {
    assert(typeof value === 'boolean', `traits.${name} is not a boolean`);
  }
  assert(maxMessageBytes > 0, `traits.maxMessageBytes is ${String(maxMessageBytes)}`);
}

/** Fails where the traits of both sides of a connection contradict each other. @param alike Each connection has its own served side. */
function checkFit(dialled: Traits, served: Traits, alike: boolean): void {
  const { principal: _, redialable: __, holder: ___, ...theirs } = served;
  const { principal: ____, redialable: _____, holder: ______, ...ours } = dialled;
  if (alike) {
    for (const name of Object.keys({ ...ours, ...theirs }) as (keyof typeof ours)[]) {
      equal(theirs[name], ours[name], `traits.${name} of the served side`);
    }
    return;
  }
  // The dialling side states what any server may do; one endpoint or session may do less.
  for (const name of ['lanes', 'maxMessageBytes'] as const) {
    equal(theirs[name], ours[name], `traits.${name} of the served side`);
  }
  for (const name of ['serverInitiates', 'clientReplies', 'carriesHeaders'] as const) {
    assert(ours[name] || !theirs[name], `traits.${name} is true on the served side only`);
  }
}
