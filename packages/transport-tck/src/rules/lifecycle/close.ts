import { assert, equal } from '../../base/assert.js';
import { expectEcho } from '../../harness/echo.js';
import { closedOn, inOrder, type ConnectionProbe } from '../../harness/connection-probe.js';
import {
  arrivals,
  expectTransportError,
  expectAllAccepted,
  expectAllArrived,
  endedOnce,
  settleSends,
} from '../../harness/expectations.js';
import type { Harness } from '../../harness/harness.js';
import {
  all,
  requiresConnectionPerClient,
  requiresLocalServer,
  requiresRedial,
  requiresServerInitiates,
  requiresSharedLane,
} from '../skip-conditions.js';
import { onClient, onPair, type Rule } from '../rule.js';

/** How an orderly end by the other side is reported. A server that has ended a session no longer knows that session. */
const orderly: ReadonlySet<string> = new Set([inOrder, 'PEER_CLOSED', 'SESSION_EXPIRED']);
/** How many messages are queued when the connection closes: 1 MiB in all. */
const queued = 256;
const queuedLength = 4 * 1024;
/** How long the text of a message is that the served side sends before it closes. */
const pushedLength = 32 * 1024;

export const close: readonly Rule[] = [
  {
    id: 'close/idempotent',
    description: 'Every call of close resolves, and closed is called once.',
    verify: onClient(async (client, harness) => {
      await expectEcho(harness, client);
      await Promise.all([harness.close(client), harness.close(client)]);
      await harness.close(client);
      await endedOnce(harness, client);
    }),
  },
  {
    id: 'close/in-order',
    description: 'A connection that its own side closes ends without an error.',
    verify: onClient(async (client, harness) => {
      await harness.close(client);
      equal(client.ends(), [inOrder], 'ends by the time that close() resolved');
      await endedOnce(harness, client);
    }),
  },
  {
    id: 'close/before-start',
    description: 'A connection that was never started can be closed.',
    async verify(harness: Harness): Promise<void> {
      await harness.close(await harness.dial());
    },
  },
  {
    id: 'close/notifies-peer',
    description: 'Closing one side calls closed on the other side once.',
    skipIf: all(requiresLocalServer, requiresConnectionPerClient),
    verify: onPair(async ({ client, served }, harness) => {
      await harness.close(client);
      await endedOnce(harness, served);
      endedInOrder(served);
    }),
  },
  {
    id: 'close/both',
    description: 'Both sides may close at the same time, and neither reports a loss.',
    skipIf: all(requiresLocalServer, requiresConnectionPerClient),
    verify: onPair(async ({ client, served }, harness) => {
      await Promise.all([harness.close(client), harness.close(served)]);
      await endedOnce(harness, client, served);
      endedInOrder(client, served);
    }),
  },
  {
    id: 'close/by-peer',
    description: 'A connection that the served side closes ends once, and is not reported as a loss.',
    skipIf: requiresConnectionPerClient,
    verify: onClient(async (client, harness) => {
      client.askForEnd('tck/close', { after: 0 });
      await endedOnce(harness, client);
      endedInOrder(client);
      await harness.close(client);
      await endedOnce(harness, client);
    }),
  },
  {
    id: 'close/send-after',
    description:
      'A send after close rejects with CLOSED and the outcome not-sent, also while the close is running.',
    verify: onClient(async (client, harness) => {
      const closing = harness.close(client);
      const during = client.notify('late');
      during.catch(() => undefined);
      await closing;
      for (const late of [during, client.notify('late')]) {
        const error = await expectTransportError(harness, late, 'send() after close()');
        equal([error.code, error.outcome], ['CLOSED', 'not-sent'], 'code and outcome');
      }
    }),
  },
  {
    id: 'close/send-after-peer',
    description: 'A send after the other side closed rejects with the outcome not-sent.',
    skipIf: requiresConnectionPerClient,
    verify: onClient(async (client, harness) => {
      client.askForEnd('tck/close', { after: 0 });
      await harness.until(() => client.closes.length > 0, closedOn(client));
      const error = await expectTransportError(
        harness,
        client.notify('late'),
        'send() after the peer closed',
      );
      equal(error.outcome, 'not-sent', 'the outcome');
    }),
  },
  {
    id: 'close/delivers-sent',
    description:
      'Messages accepted before an orderly close arrive; messages whose send rejected as not-sent do not.',
    skipIf: requiresLocalServer,
    verify: onPair(async ({ client, served }, harness) => {
      // The first sends are awaited, so that some messages are accepted in any case. The others exceed what can be buffered.
      const sends: Promise<void>[] = [];
      for (let index = 0; index < 20; index += 1) {
        sends.push(client.notify('count', { index }));
        await sends.at(-1);
      }
      const pad = 'x'.repeat(padLength(client));
      for (let more = 0; more < queued; more += 1) {
        sends.push(client.notify('count', { index: sends.length, pad }));
      }
      await deliversAccepted(harness, sends, harness.close(client), served);
    }),
  },
  {
    id: 'close/both-ways',
    description: 'Messages accepted before a close arrive, also where the other side sends meanwhile.',
    skipIf: requiresLocalServer,
    verify: onPair(async ({ client, served }, harness) => {
      const sends: Promise<void>[] = [];
      let closing: Promise<void> | undefined;
      // More of the flood waits to be read then.
      client.onReceived = () => {
        if (closing !== undefined) return;
        for (let index = 0; index < 20; index += 1) sends.push(client.notify('count', { index }));
        closing = harness.close(client);
      };
      const params = { count: queued, padLength: padLength(client) };
      void client.request('flood', 'tck/flood', params).catch(() => undefined);
      await harness.until(() => closing !== undefined, 'a message of the flood');
      await deliversAccepted(harness, sends, closing ?? Promise.resolve(), served);
    }),
  },
  {
    id: 'close/same-turn',
    description:
      'Messages that are sent in the turn of the close and are accepted arrive, in order and without a gap.',
    skipIf: requiresLocalServer,
    verify: onPair(async ({ client, served }, harness) => {
      await expectEcho(harness, client);
      const sends = Array.from({ length: 12 }, (_, index) => client.notify('count', { index }));
      const closing = harness.close(client);
      const settled = await settleSends(harness, sends, 'a send in the turn of close()');
      await closing;
      await harness.holds(() => arrivals(settled, served).lost === 0);
      expectAllArrived(settled, served);
      const indices = served.notifications('count').map(({ index }) => Number(index));
      const sorted =
        client.connection.traits.lanes === 'shared' ? indices : [...indices].sort((a, b) => a - b);
      equal(
        sorted,
        Array.from(indices, (_, index) => index),
        'what arrived',
      );
    }),
  },
  {
    id: 'close/open-requests',
    description: 'Closing with unanswered requests ends both sides once, and nothing follows.',
    verify: onClient(async (client, harness) => {
      for (const id of [1, 2, 3]) await client.request(id, 'tck/hold');
      await harness.close(client);
      await endedOnce(harness, client);
      if (harness.acceptsAt !== 'endpoint') await endedOnce(harness, ...harness.accepted);
    }),
  },
  {
    id: 'close/served-side',
    description: 'A served side that closes ends in order and resolves, also when it is called twice.',
    skipIf: all(requiresLocalServer, requiresConnectionPerClient),
    verify: onPair(async ({ served }, harness) => {
      await Promise.all([harness.close(served), harness.close(served)]);
      await endedOnce(harness, served);
      equal(served.ends(), [inOrder], 'the end of the side that closed');
    }),
  },
  {
    id: 'close/delivers-pushed',
    description:
      'Messages that the served side sent before it closed arrive before closed, which reports no loss.',
    skipIf: requiresSharedLane,
    verify: onClient(async (client, harness) => {
      // More than the buffers of a pipe or a socket hold.
      const padLength = Math.floor(Math.min(pushedLength, client.connection.traits.maxMessageBytes / 4));
      client.askForEnd('tck/close', { after: 20, padLength });
      await endedOnce(harness, client);
      equal(client.notifications('tck/progressed').length, 20, 'messages that arrived of 20');
      equal(client.responses(1).length, 1, 'results');
      endedInOrder(client);
    }),
  },
  {
    id: 'close/pushed-same-turn',
    description:
      'Messages that the served side sends in the turn of its close and that are accepted arrive before the end.',
    skipIf: all(requiresLocalServer, requiresSharedLane, requiresServerInitiates),
    verify: onPair(async ({ client, served }, harness) => {
      await expectEcho(harness, client);
      const sends = Array.from({ length: 12 }, (_, index) => served.notify('count', { index }));
      const closing = harness.close(served);
      const settled = await settleSends(harness, sends, 'a send in the turn of close()');
      await closing;
      await endedOnce(harness, client);
      expectAllArrived(settled, client);
    }),
  },
  {
    id: 'close/inside-closed',
    description: 'Calling close inside closed resolves and calls nothing again.',
    verify: onClient(async (client, harness) => {
      let closing: Promise<void> | undefined;
      client.onClosed = () => {
        closing ??= client.connection.close();
      };
      await harness.close(client);
      await endedOnce(harness, client);
      await harness.within(
        closing ?? Promise.resolve(),
        'close() inside closed()',
        harness.timeouts.closeTimeoutMs,
      );
    }),
  },
  {
    id: 'close/redial',
    description: 'After a close the transport dials again.',
    skipIf: requiresRedial,
    async verify(harness: Harness): Promise<void> {
      await harness.close(await harness.open());
      await expectEcho(harness, await harness.open());
    },
  },
];

/** How long the text of a message may be where many are sent. */
function padLength({ connection }: ConnectionProbe): number {
  return Math.min(queuedLength, connection.traits.maxMessageBytes / 4);
}

/** Fails unless the served side gets those of the notifications `count` that were accepted, and none of those that were not sent. */
async function deliversAccepted(
  harness: Harness,
  sends: readonly Promise<void>[],
  closing: Promise<void>,
  served: ConnectionProbe,
): Promise<void> {
  const settled = await settleSends(harness, sends, 'a send before close()');
  await closing;
  const lost = (): number => arrivals(settled, served).lost;
  // An endpoint does not notice that one client closes.
  await harness.holds(() => served.closes.length > 0 || lost() === 0);
  const count = `${String(lost())} of ${String(settled.accepted.length)}`;
  assert(lost() === 0, `${count} messages that were accepted before close() never arrived`);
  expectAllAccepted(settled, served);
}

/** Fails where one of these sides was notified of a loss. */
function endedInOrder(...ends: readonly ConnectionProbe[]): void {
  for (const end of ends) {
    const [how = ''] = end.ends();
    assert(orderly.has(how), `an orderly end was reported as ${how}: ${closedOn(end)}`);
  }
}
