import { assert } from '../stage/assert.js';
import type { ConnectionProbe } from '../harness/connection-probe.js';
import { inOrder } from '../harness/connection-probe.js';
import { settleSends } from '../harness/failure.js';
import { beginCut, expectConnectionLoss } from '../harness/hooks.js';
import type { Harness } from '../harness/harness.js';
import { endedOnce } from './close.js';
import { all, cut as hook, requiresLocalServer, requiresSharedLane } from '../laws/gates.js';
import type { Rule } from '../laws/law.js';

/** An exchange of so many messages is ended after each of them. */
const messages = 4;

export const cut: readonly Rule[] = [
  {
    id: 'cut/close-at-every-message',
    description: 'Closing inside any message of an exchange ends both sides once, and nothing follows.',
    skipIf: requiresSharedLane,
    async verify(stage: Harness): Promise<void> {
      for (let after = 0; after <= messages; after += 1) {
        const client = await stage.open();
        await exchangeUntil(stage, client, after, () => void client.connection.close());
        await bothEnd(stage, client);
      }
    },
  },
  {
    id: 'cut/peer-closes-at-every-message',
    description: 'A served side that closes after any message ends both sides once, and nothing follows.',
    skipIf: requiresSharedLane,
    async verify(stage: Harness): Promise<void> {
      for (let after = 0; after <= messages; after += 1) {
        const client = await stage.open();
        client.askForEnd('tck/close', { after });
        await bothEnd(stage, client);
      }
    },
  },
  {
    id: 'cut/sends-settle',
    description: 'Sends that were on their way when the connection closed settle.',
    async verify(stage: Harness): Promise<void> {
      const client = await stage.open();
      const sends = Array.from({ length: 50 }, (_, index) => client.notify('count', { index }));
      const closing = client.connection.close();
      await settleSends(stage, sends, 'a send before close()');
      await stage.within(closing, 'close() to resolve', stage.timeouts.closeTimeoutMs);
      await endedOnce(stage, client);
    },
  },
  {
    id: 'cut/loss-at-every-message',
    description:
      'A carrier cut after any message ends both sides once, and the dialling side with what tells a loss.',
    skipIf: all(hook, requiresSharedLane),
    async verify(stage: Harness): Promise<void> {
      for (let after = 0; after <= messages; after += 1) {
        const client = await stage.open();
        let cutting = Promise.resolve();
        await exchangeUntil(stage, client, after, () => (cutting = beginCut(stage)));
        await expectConnectionLoss(stage, cutting, client);
        await bothEnd(stage, client);
        wasCut(client);
      }
    },
  },
  {
    id: 'cut/loss-settles-sends',
    description: 'Sends on their way when the carrier is cut settle.',
    skipIf: all(hook, requiresLocalServer, requiresSharedLane),
    async verify(stage: Harness): Promise<void> {
      const { client } = await stage.pair();
      const sends = Array.from({ length: 50 }, (_, index) => client.notify('count', { index }));
      await expectConnectionLoss(stage, beginCut(stage), client);
      await settleSends(stage, sends, 'a send before the cut');
      await endedOnce(stage, client);
      wasCut(client);
    },
  },
];

/** Starts an exchange of `messages` messages and acts once `after` of them have arrived, inside the last one. */
async function exchangeUntil(
  stage: Harness,
  client: ConnectionProbe,
  after: number,
  act: () => void,
): Promise<void> {
  client.onReceived = () => {
    if (client.deliveries.length === after) act();
  };
  client.askForEnd('tck/progress', { count: messages - 1 });
  if (after === 0) act();
  await stage.until(() => client.deliveries.length >= after, `message ${String(after)} of the exchange`);
}

/** The cause says that it was a loss, and not that somebody closed. */
function wasCut(client: ConnectionProbe): void {
  const [how = ''] = client.ends();
  const typed = how !== inOrder && how !== 'no TransportError';
  assert(typed && how !== 'PEER_CLOSED', `a cut was told as ${how}`);
}

async function bothEnd(stage: Harness, client: ConnectionProbe): Promise<void> {
  await endedOnce(stage, client, ...stage.accepted.slice(-1));
}
