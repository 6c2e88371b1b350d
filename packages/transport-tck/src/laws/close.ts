import { TransportError } from '@rxmcp/transport';
import { all, endsTogether, local, redials, sharedLane } from '../gates.js';
import type { Law } from '../law.js';
import { quiet } from '../stage/clock.js';
import type { End } from '../stage/end.js';
import type { Stage } from '../stage/stage.js';
import { assert, equal } from '../stage/verdict.js';
import { echoes } from '../stage/echo.js';
import { fails, settles } from '../stage/failure.js';

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
      await endedOnce(stage, client);
      equal(client.closes[0]?.code, undefined, 'the code of the cause');
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
    },
  },
  {
    id: 'close/by-peer',
    says: 'A connection that the served side closes ends once, with a typed cause if any.',
    gate: endsTogether,
    async prove(stage: Stage): Promise<void> {
      const client = await stage.open();
      await client.ask(1, 'tck/close', { after: 0 });
      await endedOnce(stage, client);
      const [cause] = client.closes;
      assert(cause === undefined || TransportError.is(cause), 'the cause is no TransportError');
      await stage.close(client);
      await endedOnce(stage, client);
    },
  },
  {
    id: 'close/send-after',
    says: 'A send after close rejects with CLOSED and was certainly not sent.',
    async prove(stage: Stage): Promise<void> {
      const client = await stage.open();
      await stage.close(client);
      const error = await fails(stage, client.tell('late'), 'send() after close()');
      equal([error.code, error.outcome], ['CLOSED', 'not-sent'], 'code and outcome');
    },
  },
  {
    id: 'close/send-after-peer',
    says: 'A send after the other side closed rejects and was certainly not sent.',
    gate: endsTogether,
    async prove(stage: Stage): Promise<void> {
      const client = await stage.open();
      await client.ask(1, 'tck/close', { after: 0 });
      await stage.until(() => client.closes.length > 0, closedOn(client));
      const error = await fails(stage, client.tell('late'), 'send() after the peer closed');
      equal(error.outcome, 'not-sent', 'the outcome');
    },
  },
  {
    id: 'close/delivers-sent',
    says: 'What was accepted before an orderly close still arrives.',
    gate: local,
    async prove(stage: Stage): Promise<void> {
      const { client, served } = await stage.pair();
      // Some are awaited, so that something was accepted whatever becomes of the rest; the rest is more than fits at once.
      for (let index = 0; index < 20; index += 1) await client.tell('count', { index });
      const accepted = new Set(Array.from({ length: 20 }, (_, index) => index));
      const pad = 'x'.repeat(Math.min(queuedLength, client.connection.traits.maxMessageBytes / 4));
      const sends = Array.from({ length: queued }, async (_, index) => {
        await client.tell('count', { index: 20 + index, pad });
        accepted.add(20 + index);
      });
      const closing = stage.close(client);
      await settles(stage, sends, 'a send before close()');
      await closing;
      const lost = (): number => {
        const arrived = new Set(served.told('count').map(({ index }) => index));
        return [...accepted].filter((index) => !arrived.has(index)).length;
      };
      // An endpoint is not told of the close.
      await stage.holds(() => served.closes.length > 0 || lost() === 0);
      const count = `${String(lost())} of ${String(accepted.size)}`;
      assert(lost() === 0, `${count} messages that were accepted before close() never arrived`);
    },
  },
  {
    id: 'close/delivers-pushed',
    says: 'What the served side sent before it closed arrives before closed.',
    gate: sharedLane,
    async prove(stage: Stage): Promise<void> {
      const client = await stage.open();
      await client.ask(1, 'tck/close', { after: 20 });
      await endedOnce(stage, client);
      equal(client.told('tck/progressed').length, 20, 'messages that arrived of 20');
      equal(client.answers(1).length, 1, 'results');
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

function closedOn({ side }: End): string {
  return `closed() on the ${side === 'served' ? 'served' : 'dialling'} side`;
}
