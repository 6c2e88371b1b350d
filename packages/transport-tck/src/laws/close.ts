import { assert, equal } from '../stage/assert.js';
import { quiet } from '../stage/clock.js';
import { echoes } from '../stage/echo.js';
import { closedOn, inOrder } from '../stage/end.js';
import type { End } from '../stage/end.js';
import { arrivals, fails, noneDenied, settles } from '../stage/failure.js';
import type { Stage } from '../stage/stage.js';
import { all, endsTogether, local, redials, sharedLane } from './gates.js';
import type { Law } from './law.js';

/** How an end by the other side is told; one that has ended a session does not know it any more. */
const orderly: ReadonlySet<string> = new Set([inOrder, 'PEER_CLOSED', 'SESSION_LOST']);
/** What waits when the connection closes: 1 MiB in all. */
const queued = 256;
const queuedLength = 4 * 1024;

export const close: readonly Law[] = [
  {
    id: 'close/idempotent',
    says: 'Closing any number of times resolves each time and tells closed once.',
    async prove(stage: Stage): Promise<void> {
      const client = await stage.open();
      await echoes(stage, client);
      await Promise.all([stage.close(client), stage.close(client)]);
      await stage.close(client);
      await endedOnce(stage, client);
    },
  },
  {
    id: 'close/in-order',
    says: 'A connection that was closed by its own side ends without an error.',
    async prove(stage: Stage): Promise<void> {
      const client = await stage.open();
      await stage.close(client);
      equal(client.ends(), [inOrder], 'ends by the time that close() resolved');
      await endedOnce(stage, client);
    },
  },
  {
    id: 'close/before-start',
    says: 'A connection that was never started closes too.',
    async prove(stage: Stage): Promise<void> {
      await stage.close(await stage.dial());
    },
  },
  {
    id: 'close/tells-peer',
    says: 'The other side is told, once.',
    gate: all(local, endsTogether),
    async prove(stage: Stage): Promise<void> {
      const { client, served } = await stage.pair();
      await stage.close(client);
      await endedOnce(stage, served);
      endedInOrder(served);
    },
  },
  {
    id: 'close/both',
    says: 'Both sides may close at the same time, and neither takes that for a loss.',
    gate: all(local, endsTogether),
    async prove(stage: Stage): Promise<void> {
      const { client, served } = await stage.pair();
      await Promise.all([stage.close(client), stage.close(served)]);
      await endedOnce(stage, client, served);
      endedInOrder(client, served);
    },
  },
  {
    id: 'close/by-peer',
    says: 'A connection that the served side closes ends once, and not as a loss.',
    gate: endsTogether,
    async prove(stage: Stage): Promise<void> {
      const client = await stage.open();
      client.askForEnd('tck/close', { after: 0 });
      await endedOnce(stage, client);
      endedInOrder(client);
      await stage.close(client);
      await endedOnce(stage, client);
    },
  },
  {
    id: 'close/send-after',
    says: 'A send after close rejects with CLOSED and was certainly not sent, also while it still closes.',
    async prove(stage: Stage): Promise<void> {
      const client = await stage.open();
      const closing = stage.close(client);
      const during = client.tell('late');
      during.catch(() => undefined);
      await closing;
      for (const late of [during, client.tell('late')]) {
        const error = await fails(stage, late, 'send() after close()');
        equal([error.code, error.outcome], ['CLOSED', 'not-sent'], 'code and outcome');
      }
    },
  },
  {
    id: 'close/send-after-peer',
    says: 'A send after the other side closed rejects and was certainly not sent.',
    gate: endsTogether,
    async prove(stage: Stage): Promise<void> {
      const client = await stage.open();
      client.askForEnd('tck/close', { after: 0 });
      await stage.until(() => client.closes.length > 0, closedOn(client));
      const error = await fails(stage, client.tell('late'), 'send() after the peer closed');
      equal(error.outcome, 'not-sent', 'the outcome');
    },
  },
  {
    id: 'close/delivers-sent',
    says: 'What was accepted before an orderly close still arrives, and nothing that is said to be not sent.',
    gate: local,
    async prove(stage: Stage): Promise<void> {
      const { client, served } = await stage.pair();
      // Some are awaited, so that something was accepted whatever becomes of the rest; the rest is more than fits at once.
      const sends: Promise<void>[] = [];
      for (let index = 0; index < 20; index += 1) {
        const send = client.tell('count', { index });
        sends.push(send);
        await send;
      }
      const pad = 'x'.repeat(Math.min(queuedLength, client.connection.traits.maxMessageBytes / 4));
      for (let more = 0; more < queued; more += 1) {
        sends.push(client.tell('count', { index: sends.length, pad }));
      }
      const closing = stage.close(client);
      const settled = await settles(stage, sends, 'a send before close()');
      await closing;
      const lost = (): number => arrivals(settled, served).lost;
      // An endpoint is not told of the close.
      await stage.holds(() => served.closes.length > 0 || lost() === 0);
      const count = `${String(lost())} of ${String(settled.accepted.length)}`;
      assert(lost() === 0, `${count} messages that were accepted before close() never arrived`);
      noneDenied(settled, served);
    },
  },
  {
    id: 'close/delivers-pushed',
    says: 'What the served side sent before it closed arrives before closed, which is no loss.',
    gate: sharedLane,
    async prove(stage: Stage): Promise<void> {
      const client = await stage.open();
      client.askForEnd('tck/close', { after: 20 });
      await endedOnce(stage, client);
      equal(client.told('tck/progressed').length, 20, 'messages that arrived of 20');
      equal(client.answers(1).length, 1, 'results');
      endedInOrder(client);
    },
  },
  {
    id: 'close/inside-closed',
    says: 'Closing from inside closed resolves and tells nothing again.',
    async prove(stage: Stage): Promise<void> {
      const client = await stage.open();
      let closing: Promise<void> | undefined;
      client.onClosed = () => {
        closing ??= client.connection.close();
      };
      await stage.close(client);
      await endedOnce(stage, client);
      await stage.within(closing ?? Promise.resolve(), 'close() inside closed()', stage.patience.closeMs);
    },
  },
  {
    id: 'close/redial',
    says: 'After a close the transport dials again.',
    gate: redials,
    async prove(stage: Stage): Promise<void> {
      await stage.close(await stage.open());
      await echoes(stage, await stage.open());
    },
  },
];

/** `closed` came once on each end, and nothing after it. */
export async function endedOnce(stage: Stage, ...ends: readonly End[]): Promise<void> {
  for (const end of ends) {
    await stage.until(() => end.closes.length > 0, closedOn(end), stage.patience.closeMs);
  }
  await quiet();
  for (const end of ends) {
    equal(end.closes.length, 1, `calls of ${closedOn(end)}`);
    equal(end.late, [], `calls after ${closedOn(end)}`);
  }
}

/** What these ends were told was no loss. */
function endedInOrder(...ends: readonly End[]): void {
  for (const end of ends) {
    const [how = ''] = end.ends();
    assert(orderly.has(how), `an orderly end was told as ${how}: ${closedOn(end)}`);
  }
}
