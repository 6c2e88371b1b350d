import { assert, equal } from '../stage/assert.js';
import { quiet } from '../harness/clock.js';
import { expectEcho } from '../harness/echo.js';
import { closedOn, inOrder } from '../harness/connection-probe.js';
import type { ConnectionProbe } from '../harness/connection-probe.js';
import { arrivals, expectTransportError, expectAllAccepted, settleSends } from '../harness/failure.js';
import type { Harness } from '../harness/harness.js';
import {
  all,
  requiresConnectionPerClient,
  requiresLocalServer,
  requiresRedial,
  requiresSharedLane,
} from '../laws/gates.js';
import type { Rule } from '../laws/law.js';

/** How an end by the other side is told; one that has ended a session does not know it any more. */
const orderly: ReadonlySet<string> = new Set([inOrder, 'PEER_CLOSED', 'SESSION_EXPIRED']);
/** What waits when the connection closes: 1 MiB in all. */
const queued = 256;
const queuedLength = 4 * 1024;

export const close: readonly Rule[] = [
  {
    id: 'close/idempotent',
    description: 'Closing any number of times resolves each time and tells closed once.',
    async verify(stage: Harness): Promise<void> {
      const client = await stage.open();
      await expectEcho(stage, client);
      await Promise.all([stage.close(client), stage.close(client)]);
      await stage.close(client);
      await endedOnce(stage, client);
    },
  },
  {
    id: 'close/in-order',
    description: 'A connection that was closed by its own side ends without an error.',
    async verify(stage: Harness): Promise<void> {
      const client = await stage.open();
      await stage.close(client);
      equal(client.ends(), [inOrder], 'ends by the time that close() resolved');
      await endedOnce(stage, client);
    },
  },
  {
    id: 'close/before-start',
    description: 'A connection that was never started closes too.',
    async verify(stage: Harness): Promise<void> {
      await stage.close(await stage.dial());
    },
  },
  {
    id: 'close/tells-peer',
    description: 'The other side is told, once.',
    skipIf: all(requiresLocalServer, requiresConnectionPerClient),
    async verify(stage: Harness): Promise<void> {
      const { client, served } = await stage.pair();
      await stage.close(client);
      await endedOnce(stage, served);
      endedInOrder(served);
    },
  },
  {
    id: 'close/both',
    description: 'Both sides may close at the same time, and neither takes that for a loss.',
    skipIf: all(requiresLocalServer, requiresConnectionPerClient),
    async verify(stage: Harness): Promise<void> {
      const { client, served } = await stage.pair();
      await Promise.all([stage.close(client), stage.close(served)]);
      await endedOnce(stage, client, served);
      endedInOrder(client, served);
    },
  },
  {
    id: 'close/by-peer',
    description: 'A connection that the served side closes ends once, and not as a loss.',
    skipIf: requiresConnectionPerClient,
    async verify(stage: Harness): Promise<void> {
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
    description:
      'A send after close rejects with CLOSED and was certainly not sent, also while it still closes.',
    async verify(stage: Harness): Promise<void> {
      const client = await stage.open();
      const closing = stage.close(client);
      const during = client.notify('late');
      during.catch(() => undefined);
      await closing;
      for (const late of [during, client.notify('late')]) {
        const error = await expectTransportError(stage, late, 'send() after close()');
        equal([error.code, error.outcome], ['CLOSED', 'not-sent'], 'code and outcome');
      }
    },
  },
  {
    id: 'close/send-after-peer',
    description: 'A send after the other side closed rejects and was certainly not sent.',
    skipIf: requiresConnectionPerClient,
    async verify(stage: Harness): Promise<void> {
      const client = await stage.open();
      client.askForEnd('tck/close', { after: 0 });
      await stage.until(() => client.closes.length > 0, closedOn(client));
      const error = await expectTransportError(stage, client.notify('late'), 'send() after the peer closed');
      equal(error.outcome, 'not-sent', 'the outcome');
    },
  },
  {
    id: 'close/delivers-sent',
    description:
      'What was accepted before an orderly close still arrives, and nothing that is said to be not sent.',
    skipIf: requiresLocalServer,
    async verify(stage: Harness): Promise<void> {
      const { client, served } = await stage.pair();
      // Some are awaited, so that something was accepted whatever becomes of the rest; the rest is more than fits at once.
      const sends: Promise<void>[] = [];
      for (let index = 0; index < 20; index += 1) {
        const send = client.notify('count', { index });
        sends.push(send);
        await send;
      }
      const pad = 'x'.repeat(Math.min(queuedLength, client.connection.traits.maxMessageBytes / 4));
      for (let more = 0; more < queued; more += 1) {
        sends.push(client.notify('count', { index: sends.length, pad }));
      }
      const closing = stage.close(client);
      const settled = await settleSends(stage, sends, 'a send before close()');
      await closing;
      const lost = (): number => arrivals(settled, served).lost;
      // An endpoint is not told of the close.
      await stage.holds(() => served.closes.length > 0 || lost() === 0);
      const count = `${String(lost())} of ${String(settled.accepted.length)}`;
      assert(lost() === 0, `${count} messages that were accepted before close() never arrived`);
      expectAllAccepted(settled, served);
    },
  },
  {
    id: 'close/delivers-pushed',
    description: 'What the served side sent before it closed arrives before closed, which is no loss.',
    skipIf: requiresSharedLane,
    async verify(stage: Harness): Promise<void> {
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
    description: 'Closing from inside closed resolves and tells nothing again.',
    async verify(stage: Harness): Promise<void> {
      const client = await stage.open();
      let closing: Promise<void> | undefined;
      client.onClosed = () => {
        closing ??= client.connection.close();
      };
      await stage.close(client);
      await endedOnce(stage, client);
      await stage.within(
        closing ?? Promise.resolve(),
        'close() inside closed()',
        stage.timeouts.closeTimeoutMs,
      );
    },
  },
  {
    id: 'close/redial',
    description: 'After a close the transport dials again.',
    skipIf: requiresRedial,
    async verify(stage: Harness): Promise<void> {
      await stage.close(await stage.open());
      await expectEcho(stage, await stage.open());
    },
  },
];

/** `closed` came once on each end, and nothing after it. */
export async function endedOnce(stage: Harness, ...ends: readonly ConnectionProbe[]): Promise<void> {
  for (const end of ends) {
    await stage.until(() => end.closes.length > 0, closedOn(end), stage.timeouts.closeTimeoutMs);
  }
  await quiet();
  for (const end of ends) {
    equal(end.closes.length, 1, `calls of ${closedOn(end)}`);
    equal(end.late, [], `calls after ${closedOn(end)}`);
  }
}

/** What these ends were told was no loss. */
function endedInOrder(...ends: readonly ConnectionProbe[]): void {
  for (const end of ends) {
    const [how = ''] = end.ends();
    assert(orderly.has(how), `an orderly end was told as ${how}: ${closedOn(end)}`);
  }
}
