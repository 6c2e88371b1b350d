import { assert } from '../stage/assert.js';
import type { End } from '../stage/end.js';
import { inOrder } from '../stage/end.js';
import { settles } from '../stage/failure.js';
import { beginCut, cutShows } from '../stage/hooks.js';
import type { Stage } from '../stage/stage.js';
import { endedOnce } from './close.js';
import { all, cut as hook, local, sharedLane } from './gates.js';
import type { Law } from './law.js';

/** An exchange of so many messages is ended after each of them. */
const messages = 4;

export const cut: readonly Law[] = [
  {
    id: 'cut/close-at-every-message',
    says: 'Closing inside any message of an exchange ends both sides once, and nothing follows.',
    gate: sharedLane,
    async prove(stage: Stage): Promise<void> {
      for (let after = 0; after <= messages; after += 1) {
        const client = await stage.open();
        await exchangeUntil(stage, client, after, () => void client.connection.close());
        await bothEnd(stage, client);
      }
    },
  },
  {
    id: 'cut/peer-closes-at-every-message',
    says: 'A served side that closes after any message ends both sides once, and nothing follows.',
    gate: sharedLane,
    async prove(stage: Stage): Promise<void> {
      for (let after = 0; after <= messages; after += 1) {
        const client = await stage.open();
        client.askForEnd('tck/close', { after });
        await bothEnd(stage, client);
      }
    },
  },
  {
    id: 'cut/sends-settle',
    says: 'Sends that were on their way when the connection closed settle.',
    async prove(stage: Stage): Promise<void> {
      const client = await stage.open();
      const sends = Array.from({ length: 50 }, (_, index) => client.tell('count', { index }));
      const closing = client.connection.close();
      await settles(stage, sends, 'a send before close()');
      await stage.within(closing, 'close() to resolve', stage.patience.closeMs);
      await endedOnce(stage, client);
    },
  },
  {
    id: 'cut/loss-at-every-message',
    says: 'A carrier cut after any message ends both sides once, and the dialling side with what tells a loss.',
    gate: all(hook, sharedLane),
    async prove(stage: Stage): Promise<void> {
      for (let after = 0; after <= messages; after += 1) {
        const client = await stage.open();
        let cutting = Promise.resolve();
        await exchangeUntil(stage, client, after, () => (cutting = beginCut(stage)));
        await cutShows(stage, cutting, client);
        await bothEnd(stage, client);
        wasCut(client);
      }
    },
  },
  {
    id: 'cut/loss-settles-sends',
    says: 'Sends on their way when the carrier is cut settle.',
    gate: all(hook, local, sharedLane),
    async prove(stage: Stage): Promise<void> {
      const { client } = await stage.pair();
      const sends = Array.from({ length: 50 }, (_, index) => client.tell('count', { index }));
      await cutShows(stage, beginCut(stage), client);
      await settles(stage, sends, 'a send before the cut');
      await endedOnce(stage, client);
      wasCut(client);
    },
  },
];

/** Starts an exchange of `messages` messages and acts once `after` of them have arrived, inside the last one. */
async function exchangeUntil(stage: Stage, client: End, after: number, act: () => void): Promise<void> {
  client.onReceived = () => {
    if (client.deliveries.length === after) act();
  };
  client.askForEnd('tck/progress', { count: messages - 1 });
  if (after === 0) act();
  await stage.until(() => client.deliveries.length >= after, `message ${String(after)} of the exchange`);
}

/** The cause says that it was a loss, and not that somebody closed. */
function wasCut(client: End): void {
  const [how = ''] = client.ends();
  const typed = how !== inOrder && how !== 'no TransportError';
  assert(typed && how !== 'PEER_CLOSED', `a cut was told as ${how}`);
}

async function bothEnd(stage: Stage, client: End): Promise<void> {
  await endedOnce(stage, client, ...stage.accepted.slice(-1));
}
