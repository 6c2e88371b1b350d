import { assert, equal } from '../stage/assert.js';
import { pause, quiet } from '../harness/clock.js';
import { expectEcho } from '../harness/echo.js';
import type { ConnectionProbe } from '../harness/connection-probe.js';
import { expectTransportError } from '../harness/failure.js';
import type { Harness } from '../harness/harness.js';
import { checkFit, checkTraits } from '../harness/traits.js';
import { endedOnce } from './close.js';
import {
  requiresAcceptAtDial,
  all,
  requiresEndpoint,
  requiresLocalServer,
  requiresSession,
  requiresServerInitiates,
  requiresRedial,
} from '../laws/gates.js';
import type { Rule } from '../laws/law.js';

/** Time enough for a message or an end to reach a side that has not started. */
const arrivesMs = 50;

export const start: readonly Rule[] = [
  {
    id: 'start/traits',
    description: 'A connection states complete traits, and both ends state what fits together.',
    async verify(stage: Harness): Promise<void> {
      const client = await stage.open();
      assert(stage.fixture.transport.name.length > 0, 'transport.name is empty');
      checkTraits(client.connection.traits);
      const [served] = stage.accepted;
      if (served === undefined) return;
      checkTraits(served.connection.traits);
      checkFit(client.connection.traits, served.connection.traits, stage.acceptsAt === 'dial');
    },
  },
  {
    id: 'start/not-inside',
    description: 'Nothing is delivered inside the call of start.',
    skipIf: all(requiresLocalServer, requiresAcceptAtDial),
    async verify(stage: Harness): Promise<void> {
      const { client, served } = await stage.pair('served');
      void client.notify('early').catch(() => undefined);
      await pause(arrivesMs);
      served.start();
      equal(
        stage.calls.inside.filter((call) => call.endsWith('start')),
        [],
        'deliveries inside start',
      );
    },
  },
  {
    id: 'start/holds-for-served',
    description: 'What was sent before the served side started arrives after it, in order.',
    skipIf: all(requiresLocalServer, requiresAcceptAtDial),
    async verify(stage: Harness): Promise<void> {
      const { client, served } = await stage.pair('served');
      await holds(stage, client, served);
    },
  },
  {
    id: 'start/holds-opening',
    description: 'An opening that came before the served side started is answered after it.',
    skipIf: all(requiresLocalServer, requiresSession),
    async verify(stage: Harness): Promise<void> {
      const { client, served } = await stage.pair('served');
      await pause(arrivesMs);
      equal(served.openings.length, 0, 'openings delivered before start');
      served.start();
      equal(served.openings.length, 0, 'openings delivered inside start');
      await stage.until(() => client.deliveries.length > 0, 'the answer to the opening');
    },
  },
  {
    id: 'start/accepted-once',
    description: 'An endpoint is accepted once, and outlives the connections to it.',
    skipIf: all(requiresLocalServer, requiresEndpoint),
    async verify(stage: Harness): Promise<void> {
      const { client, served } = await stage.pair();
      const other = await stage.open();
      await Promise.all([expectEcho(stage, client), expectEcho(stage, other)]);
      await stage.close(client);
      await quiet();
      equal([stage.accepted.length, served.closes.length], [1, 0], 'connections accepted and ended');
      await expectEcho(stage, other);
    },
  },
  {
    id: 'start/holds-for-dialled',
    description: 'What was sent before the dialling side started arrives after it, in order.',
    skipIf: all(requiresLocalServer, requiresServerInitiates),
    async verify(stage: Harness): Promise<void> {
      const { client, served } = await stage.pair('client');
      await holds(stage, served, client);
    },
  },
  {
    id: 'start/ended-before',
    description: 'A side that starts after the other one has ended is told so after start, once.',
    skipIf: all(requiresLocalServer, requiresAcceptAtDial),
    async verify(stage: Harness): Promise<void> {
      const { client, served } = await stage.pair('client');
      await stage.close(served);
      await startsLate(stage, client);
      if (!client.connection.traits.redialable) return;
      const other = await stage.pair('served');
      await stage.close(other.client);
      await startsLate(stage, other.served);
    },
  },
  {
    id: 'start/redial',
    description: 'Dialling again makes a connection of its own, whatever became of the first.',
    skipIf: requiresRedial,
    async verify(stage: Harness): Promise<void> {
      const first = await stage.open();
      const second = await stage.open();
      assert(first.connection !== second.connection, 'both dials gave the same connection');
      await stage.close(first);
      await expectEcho(stage, second);
      await expectEcho(stage, await stage.open());
    },
  },
  {
    id: 'start/aborted-dial',
    description: 'A dial whose signal has fired already rejects with DIAL_ABORTED.',
    async verify(stage: Harness): Promise<void> {
      const dial = stage.fixture.transport.dial({ signal: AbortSignal.abort() });
      const error = await expectTransportError(stage, dial, 'dial() with an aborted signal');
      equal(error.code, 'DIAL_ABORTED', 'the code');
    },
  },
  {
    id: 'start/aborting-dial',
    description: 'A dial aborted on its way rejects with DIAL_ABORTED, or had connected already and works.',
    async verify(stage: Harness): Promise<void> {
      const controller = new AbortController();
      const dial = stage.dial({ signal: controller.signal });
      controller.abort();
      const end = await dial.catch((error: unknown) => error);
      if (end instanceof Error) {
        equal((end as { code?: unknown }).code, 'DIAL_ABORTED', 'the code');
      } else {
        const connected = await dial;
        await stage.begin(connected);
        await expectEcho(stage, connected);
      }
    },
  },
];

/** What `from` sends before `to` starts comes afterwards. */
async function holds(stage: Harness, from: ConnectionProbe, to: ConnectionProbe): Promise<void> {
  const sent = [0, 1, 2];
  for (const index of sent) void from.notify('early', { index }).catch(() => undefined);
  await pause(arrivesMs);
  to.start();
  equal(to.told('early').length, 0, 'messages delivered inside start');
  await stage.until(
    () => to.told('early').length >= sent.length,
    'the 3 messages sent before start (read before start?)',
  );
  const indices = to.told('early').map(({ index }) => index);
  equal(indices, sent, 'the order of arrival');
}

async function startsLate(stage: Harness, end: ConnectionProbe): Promise<void> {
  await pause(arrivesMs);
  equal(end.closes.length, 0, 'calls of closed() before start');
  end.start();
  equal(end.closes.length, 0, 'calls of closed() inside start');
  await endedOnce(stage, end);
}
