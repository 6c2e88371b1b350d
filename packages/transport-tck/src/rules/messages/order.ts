import { assert, equal } from '../../base/assert.js';
import { now, pause, quiet } from '../../base/clock.js';
import { requestResult } from '../../harness/echo.js';
import { all, requiresLocalServer, requiresServerInitiates, requiresSharedLane } from '../skip-conditions.js';
import { onClient, onPair, type Rule } from '../rule.js';

const counted = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const indices = (list: readonly Record<string, unknown>[]): unknown[] =>
  list.map((params) => params['index']);

export const order: readonly Rule[] = [
  {
    id: 'order/sent',
    description: 'Messages sent without waiting arrive in the order in which they were sent.',
    skipIf: all(requiresLocalServer, requiresSharedLane),
    verify: onPair(async ({ client, served }, harness) => {
      for (const index of counted(200)) void client.notify('count', { index }).catch(() => undefined);
      await harness.untilCount(() => served.notifications('count').length, 200, '200 messages');
      equal(indices(served.notifications('count')), counted(200), 'the order of arrival');
    }),
  },
  {
    id: 'order/responses',
    description: 'Each request sent without waiting is answered once.',
    verify: onClient(async (client, harness) => {
      for (const id of counted(100)) void client.request(id, 'tck/echo', { id }).catch(() => undefined);
      await harness.untilCount(() => client.deliveries.length, 100, '100 responses');
      for (const id of counted(100))
        equal(client.responses(id).length, 1, `the responses to request ${String(id)}`);
    }),
  },
  {
    id: 'order/pushed',
    description: 'Messages on the standing stream keep their order.',
    skipIf: requiresServerInitiates,
    verify: onClient(async (client, harness) => {
      await requestResult(harness, client, 'tck/push', { count: 100 });
      await harness.untilCount(() => client.notifications('tck/pushed').length, 100, '100 pushed messages');
      equal(indices(client.notifications('tck/pushed')), counted(100), 'the order of arrival');
    }),
  },
  {
    id: 'order/result-last',
    description: 'Notifications of a request arrive before its result.',
    verify: onClient(async (client, harness) => {
      await client.request(1, 'tck/progress', { count: 50 });
      await harness.untilCount(() => client.deliveries.length, 51, '50 notifications and the result');
      equal(indices(client.notifications('tck/progressed')), counted(50), 'what came before the result');
      assert(!('method' in (client.messages().at(-1) ?? {})), 'the result was not the last message');
    }),
  },
  {
    id: 'order/equal-messages',
    description: 'Equal messages each arrive, also one after the other.',
    skipIf: requiresLocalServer,
    verify: onPair(async ({ client, served }, harness) => {
      void client.request('held', 'tck/hold').catch(() => undefined);
      await harness.until(() => served.deliveries.length === 1, 'the request');
      const lane = served.deliveries[0]?.info?.lane;
      for (let sent = 0; sent < 3; sent += 1) await client.notify('equal');
      for (let sent = 0; sent < 3; sent += 1) await served.notify('equal', {}, lane);
      for (const end of [served, client]) {
        const arrived = (): number => end.notifications('equal').length;
        await harness.until(() => arrived() >= 3, `3 equal messages on the ${end.side} side`);
        await quiet();
        equal(arrived(), 3, `equal messages on the ${end.side} side`);
      }
    }),
  },
  {
    id: 'order/big-before-small',
    description: 'A small message does not overtake the large one before it.',
    skipIf: all(requiresLocalServer, requiresSharedLane),
    verify: onPair(async ({ client, served }, harness) => {
      const length = Math.min(300_000, Math.floor(client.connection.traits.maxMessageBytes / 2));
      void client.notify('big', { pad: 'x'.repeat(length) }).catch(() => undefined);
      void client.notify('small').catch(() => undefined);
      await harness.untilCount(() => served.deliveries.length, 2, 'both messages');
      equal(
        served.messages().map((message) => message['method']),
        ['big', 'small'],
        'the order of arrival',
      );
    }),
  },
  {
    id: 'order/one-at-a-time',
    description:
      'Of 30 messages that are sent when the one before has arrived, none waits for another one behind it.',
    skipIf: requiresLocalServer,
    verify: onPair(async ({ client, served }, harness) => {
      const end = now() + harness.timeouts.ruleTimeoutMs / 2;
      for (let sent = 1; sent <= 30 && now() < end; sent += 1) {
        await client.notify('single', { sent });
        await harness.until(
          () => served.notifications('single').length === sent,
          `message ${String(sent)} of 30`,
        );
      }
    }),
  },
  {
    id: 'order/both-ways',
    description: 'Messages that pass each other keep their order in both directions.',
    skipIf: all(requiresLocalServer, requiresServerInitiates, requiresSharedLane),
    verify: onPair(async (pair, harness) => {
      const sides = [
        [pair.client, pair.served],
        [pair.served, pair.client],
      ] as const;
      for (const index of counted(100))
        for (const [from] of sides) void from.notify('count', { index }).catch(() => undefined);
      for (const [, to] of sides) {
        await harness.untilCount(
          () => to.notifications('count').length,
          100,
          `100 messages on the ${to.side} side`,
        );
        equal(indices(to.notifications('count')), counted(100), `the order on the ${to.side} side`);
      }
    }),
  },
  {
    id: 'order/mixed-sizes',
    description: 'Small and large messages that alternate arrive whole and in order.',
    skipIf: all(requiresLocalServer, requiresSharedLane),
    verify: onPair(async ({ client, served }, harness) => {
      const largest = Math.min(100_000, Math.floor(client.connection.traits.maxMessageBytes / 2));
      const lengths = counted(16).map((at) => (at % 2 === 0 ? at : largest - at));
      for (const [index, length] of lengths.entries())
        void client.notify('count', { index, pad: 'ü'.repeat(length / 2) }).catch(() => undefined);
      await harness.untilCount(() => served.notifications('count').length, lengths.length, '16 messages');
      const arrived = served.notifications('count').map(({ pad }) => String(pad).length);
      equal(
        arrived,
        lengths.map((length) => Math.floor(length / 2)),
        'the lengths in order of arrival',
      );
    }),
  },
  {
    id: 'order/not-inside-send',
    description: 'Nothing is delivered during a call of send, on either side.',
    verify: onClient(async (client, harness) => {
      await requestResult(harness, client, 'tck/progress', { count: 3 });
      equal(harness.calls.inside, [], 'deliveries inside a call');
    }),
  },
  {
    id: 'order/sends-inside-received',
    description: 'Sending inside received neither overflows the stack nor starves timers.',
    skipIf: requiresSharedLane,
    verify: onClient(async (client, harness) => {
      let hops = 0;
      let ticked = false;
      const again = (): void => {
        hops += 1;
        if (!ticked && hops < maxHops) void client.request(hops, 'tck/echo').catch(() => undefined);
      };
      client.onReceived = again;
      again();
      await harness.until(() => hops > 1, 'a response to what was sent inside received');
      const timer = pause(2).then(() => {
        ticked = true;
      });
      await harness.within(timer, 'a timer of 2 ms', 10_000);
      assert(hops < maxHops, `a timer of 2 ms did not fire within ${String(maxHops)} exchanges`);
    }),
  },
];

/** Far more than fit into 2 ms, and enough to overflow a stack. */
const maxHops = 5_000;
