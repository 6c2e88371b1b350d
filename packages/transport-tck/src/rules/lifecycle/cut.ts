import { assert } from '../../base/assert.js';
import { type ConnectionProbe, inOrder } from '../../harness/connection-probe.js';
import { callFixtureHook } from '../../fixture/check-fixture.js';
import { expectEcho } from '../../harness/echo.js';
import { settleSends, endedOnce } from '../../harness/expectations.js';
import { beginCut, expectConnectionLoss } from '../../harness/hooks.js';
import type { Harness } from '../../harness/harness.js';
import {
  all,
  requiresCut,
  requiresLocalServer,
  requiresOtherCuts,
  requiresSharedLane,
} from '../skip-conditions.js';
import { onClient, onPair, type Rule } from '../rule.js';

/** How many messages an exchange has. Rules end the exchange after each of them. */
const messages = 4;

export const cut: readonly Rule[] = [
  {
    id: 'cut/close-at-every-message',
    description: 'Closing inside any message of an exchange ends both sides once, and nothing follows.',
    skipIf: requiresSharedLane,
    async verify(harness: Harness): Promise<void> {
      for (let after = 0; after <= messages; after += 1) {
        const client = await harness.open();
        await exchangeUntil(harness, client, after, () => void client.connection.close());
        await bothEnd(harness, client);
      }
    },
  },
  {
    id: 'cut/peer-closes-at-every-message',
    description: 'A served side that closes after any message ends both sides once, and nothing follows.',
    skipIf: requiresSharedLane,
    async verify(harness: Harness): Promise<void> {
      for (let after = 0; after <= messages; after += 1) {
        const client = await harness.open();
        client.askForEnd('tck/close', { after });
        await bothEnd(harness, client);
      }
    },
  },
  {
    id: 'cut/sends-settle',
    description: 'Sends that are pending when the connection closes settle.',
    verify: onClient(async (client, harness) => {
      const sends = Array.from({ length: 50 }, (_, index) => client.notify('count', { index }));
      const closing = client.connection.close();
      await settleSends(harness, sends, 'a send before close()');
      await harness.within(closing, 'close() to resolve', harness.timeouts.closeTimeoutMs);
      await endedOnce(harness, client);
    }),
  },
  {
    id: 'cut/loss-at-every-message',
    description:
      'A loss after any message ends both sides once, and the dialling side with an error that says so.',
    waitsForLoss: true,
    skipIf: all(requiresCut, requiresSharedLane),
    async verify(harness: Harness): Promise<void> {
      // All are cut before the first loss is waited for, which may take `lossMs`.
      const cuts: (() => Promise<void>)[] = [];
      for (let after = 0; after <= messages; after += 1) {
        const client = await harness.open();
        const served = harness.accepted.slice(-1);
        let cutting = Promise.resolve();
        await exchangeUntil(harness, client, after, () => (cutting = beginCut(harness)));
        await harness.within(cutting, "the fixture's `cut` hook to resolve");
        cuts.push(async () => {
          await expectConnectionLoss(harness, cutting, client, served);
          await lossReported(harness, client, served);
        });
      }
      for (const reported of cuts) await reported();
    },
  },
  {
    id: 'cut/loss-settles-sends',
    description: 'Sends that are pending when the connection is cut settle.',
    waitsForLoss: true,
    skipIf: all(requiresCut, requiresLocalServer, requiresSharedLane),
    verify: onPair(async ({ client }, harness) => {
      const sends = Array.from({ length: 50 }, (_, index) => client.notify('count', { index }));
      await expectConnectionLoss(harness, beginCut(harness), client);
      await settleSends(harness, sends, 'a send before the cut');
      await lossReported(harness, client);
    }),
  },
  {
    id: 'cut/other-ways',
    description:
      'A loss in any of the ways of `otherCuts` ends both sides once, and the dialling side with an error that says so.',
    waitsForLoss: true,
    skipIf: requiresOtherCuts,
    async verify(harness: Harness): Promise<void> {
      for (const [name, cutInThisWay] of Object.entries(harness.fixture.otherCuts ?? {})) {
        const client = await harness.open();
        await expectEcho(harness, client);
        const served = harness.accepted.slice(-1);
        const hook = `otherCuts["${name}"]`;
        await expectConnectionLoss(harness, callFixtureHook(hook, cutInThisWay), client, served, hook);
        await lossReported(harness, client, served, `"${name}"`);
      }
    },
  },
];

/** Starts an exchange of `messages` messages and acts once `after` of them have arrived, inside the last one. */
async function exchangeUntil(
  harness: Harness,
  client: ConnectionProbe,
  after: number,
  act: () => void,
): Promise<void> {
  client.onReceived = () => {
    if (client.deliveries.length === after) act();
  };
  client.askForEnd('tck/progress', { count: messages - 1 });
  if (after === 0) act();
  await harness.until(() => client.deliveries.length >= after, `message ${String(after)} of the exchange`);
}

/** Fails unless both sides end once, and the cause says that the connection was lost, not that the other side closed it. */
async function lossReported(
  harness: Harness,
  client: ConnectionProbe,
  served: readonly ConnectionProbe[] = [],
  what = 'a cut',
): Promise<void> {
  await endedOnce(harness, client, ...served);
  const [how = ''] = client.ends();
  const typed = how !== inOrder && how !== 'no TransportError';
  assert(typed && how !== 'PEER_CLOSED', `${what} was reported as ${how}`);
}

async function bothEnd(harness: Harness, client: ConnectionProbe): Promise<void> {
  await endedOnce(harness, client, ...harness.accepted.slice(-1));
}
