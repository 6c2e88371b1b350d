import { type Lane, TransportError } from '@rxmcp/transport';
import { assert, brief, equal, rejectionOf } from '../../base/assert.js';
import { lateArrivals, quiet } from '../../base/clock.js';
import type { ConnectionProbe } from '../../harness/connection-probe.js';
import { expectEcho } from '../../harness/echo.js';
import { settleSends, endedOnce } from '../../harness/expectations.js';
import type { Harness } from '../../harness/harness.js';
import type { Disturbance, Towards } from '../../relay/disturbance.js';
import type { Rule } from '../rule.js';
import { requiresByteRelay, requiresRelay } from '../skip-conditions.js';

/** Characters of one to four bytes. */
const text = 'aé€😀'.repeat(12);

/** Rules about what happens to the wire between both sides. */
export const relay: readonly Rule[] = [
  {
    id: 'relay/trickle',
    description: 'A connection whose bytes arrive one by one opens and delivers every message whole.',
    skipIf: requiresByteRelay,
    verify: async (harness) => passesThrough(harness, { kind: 'pieces', bytes: 1 }, 3),
  },
  {
    id: 'relay/pieces',
    description: 'Pieces that end within headers and characters, and hold several messages, change nothing.',
    skipIf: requiresByteRelay,
    async verify(harness: Harness): Promise<void> {
      for (const bytes of [7, 61, 1021]) await passesThrough(harness, { kind: 'pieces', bytes }, 20);
    },
  },
  {
    id: 'relay/delay',
    description: 'What arrives 150 ms late arrives whole and in order.',
    skipIf: requiresRelay,
    verify: async (harness) => passesThrough(harness, { kind: 'delay', ms: 150 }, 5),
  },
  {
    id: 'relay/twice',
    description:
      'What each side receives twice is delivered at most twice; the connection stays open, or ends once with a typed error.',
    skipIf: requiresRelay,
    async verify(harness: Harness): Promise<void> {
      const client = await harness.open();
      await expectEcho(harness, client);
      disturb(harness, { kind: 'twice' });
      const first = await request(client);
      await settled(harness, client, first);
      await lateArrivals();
      disturb(harness);
      await settled(harness, client, await request(client));
      // Twice in each direction.
      expectNothingInvented(harness, client, 4);
      await dialsAgain(harness);
    },
  },
  {
    id: 'relay/truncated-to-served',
    description:
      'Half a request, before an end or a loss, is reported and not delivered, and the request ends.',
    waitsForLoss: true,
    skipIf: requiresRelay,
    verify: (harness) => truncated(harness, 'served'),
  },
  {
    id: 'relay/truncated-to-dialled',
    description:
      'Half a response, before an end or a loss, is reported and not delivered, and its request ends.',
    waitsForLoss: true,
    skipIf: requiresRelay,
    verify: (harness) => truncated(harness, 'dialled'),
  },
  {
    id: 'relay/noise-to-served',
    description:
      'Bytes that are no message cause a fault or a typed end on the served side, and no delivery.',
    skipIf: requiresRelay,
    verify: (harness) => noise(harness, 'served'),
  },
  {
    id: 'relay/noise-to-dialled',
    description:
      'Bytes that are no message cause a fault or a typed end on the dialling side, and no delivery.',
    skipIf: requiresRelay,
    verify: (harness) => noise(harness, 'dialled'),
  },
  {
    id: 'relay/silent-close',
    description: 'While nothing passes, a close resolves, every send settles, and nothing follows.',
    waitsForLoss: true,
    skipIf: requiresRelay,
    async verify(harness: Harness): Promise<void> {
      const client = await harness.open();
      await expectEcho(harness, client);
      disturb(harness, { kind: 'hold' });
      const sends = Array.from({ length: 10 }, (_, index) => client.notify('count', { index }));
      sends.push(client.request('unanswered', 'tck/echo').then(() => undefined));
      const closing = harness.close(client);
      await settleSends(harness, sends, 'a send while nothing passes');
      await closing;
      await endedOnce(harness, client);
      disturb(harness);
    },
  },
  {
    id: 'relay/silent-dial',
    description:
      'A dial to a side from which nothing arrives ends when it is aborted, with a typed error and its connection.',
    skipIf: requiresRelay,
    async verify(harness: Harness): Promise<void> {
      disturb(harness, { kind: 'hold' });
      const controller = new AbortController();
      const dial = harness.dial({ signal: controller.signal });
      dial.catch(() => undefined);
      await lateArrivals();
      controller.abort();
      const rejected = await rejectionOf(dial);
      if (rejected !== undefined) {
        typed(rejected.error, 'the dial rejected');
        const hasEnded = (): boolean => harness.fixture.relay?.hasDialledEnded ?? true;
        await harness.until(hasEnded, 'the dialling side to end the connection of the aborted dial');
      }
      disturb(harness);
      if (rejected === undefined) await harness.close(await dial);
      await dialsAgain(harness);
    },
  },
];

async function truncated(harness: Harness, towards: Towards): Promise<void> {
  for (const how of ['end', 'cut'] as const) {
    const client = await harness.open();
    await expectEcho(harness, client);
    disturb(harness, { kind: 'truncate', towards, how });
    const sent = await request(client);
    await settled(harness, client, sent);
    disturb(harness);
    expectNothingInvented(harness, client, 1);
    await halfIsReported(harness, towards === 'dialled' ? client : harness.accepted.at(-1));
    if (client.connection.traits.lanes === 'shared')
      equal(client.responses(sent.id).length, 0, 'responses of a truncated request');
    await dialsAgain(harness);
  }
}

/** Fails where a side that got half a message has neither a fault nor an end with an error. */
async function halfIsReported(harness: Harness, reader: ConnectionProbe | undefined): Promise<void> {
  // Otherwise the half may be that of an exchange, which is not the connection.
  if (harness.fixture.relay?.frame === undefined || reader === undefined) return;
  const isReported = (): boolean => reader.faults.length > 0 || reader.closes.some(Boolean);
  await harness.until(isReported, `a fault or an error for half a message on the ${reader.side} side`);
}

async function noise(harness: Harness, towards: Towards): Promise<void> {
  for (const bytes of noises()) {
    const client = await harness.open();
    await expectEcho(harness, client);
    harness.fixture.relay?.inject(towards, bytes);
    await settled(harness, client, await request(client));
    expectNothingInvented(harness, client, 1);
    await dialsAgain(harness);
  }
}

function disturb(harness: Harness, disturbance?: Disturbance): void {
  harness.fixture.relay?.disturb(disturbance);
}

/** Opens a connection and sends `count` requests at once, with a disturbance from the dial on. */
async function passesThrough(harness: Harness, disturbance: Disturbance, count: number): Promise<void> {
  disturb(harness, disturbance);
  const client = await harness.open();
  const ids = Array.from({ length: count }, (_, index) => `${disturbance.kind}-${String(index)}`);
  const sends = ids.map((id) => client.request(id, 'tck/echo', { id, text }));
  await harness.within(Promise.all(sends), 'the sends');
  await harness.untilCount(() => client.messages().length, count, `${String(count)} responses`);
  const results = ids.map((id) => client.responses(id).map(({ result }) => result));
  equal(
    results,
    ids.map((id) => [{ echo: { id, text } }]),
    'the responses',
  );
  equal([client.closes.length, client.faults.length], [0, 0], 'ends and faults');
  disturb(harness);
  await harness.close(client);
}

/** Endpoints receive the requests of all connections, so each has an id of its own. */
let requests = 0;

interface Sent {
  readonly id: string;
  readonly lane: Lane;
  error?: unknown;
}

/** Sends a request whose send may reject. */
async function request(client: ConnectionProbe): Promise<Sent> {
  const id = `relayed-${String((requests += 1))}`;
  const sent: Sent = { id, lane: {} };
  const shared = client.connection.traits.lanes === 'shared';
  const sending = client.request(id, 'tck/echo', { id, text }, shared ? {} : { lane: sent.lane });
  sending.catch((error: unknown) => (sent.error = error));
  await quiet();
  return sent;
}

/** Waits until a request has a response, or ends without one: with its send, its lane, its connection, or a fault. */
async function settled(harness: Harness, client: ConnectionProbe, sent: Sent): Promise<void> {
  const faults = (): number => [client, ...harness.accepted].flatMap((end) => end.faults).length;
  const causes = (): unknown[] => [sent.error, ...client.endsOf(sent.lane), ...client.closes].filter(Boolean);
  const over = (): boolean => client.closes.length + client.endsOf(sent.lane).length > 0;
  await harness.until(
    () => client.responses(sent.id).length + faults() + causes().length > 0 || over(),
    `request "${sent.id}" to be answered or to end`,
    Math.max(harness.timeouts.stepTimeoutMs, harness.timeouts.lossMs),
  );
  for (const cause of causes()) typed(cause, 'the request ended');
  await quiet();
  if (client.closes.length > 0) await endedOnce(harness, client);
}

function typed(error: unknown, what: string): void {
  assert(TransportError.is(error), `${what} with no TransportError: ${String(error)}`);
}

/** Fails where a side received something that the other one has not sent, or more often than `times`. */
function expectNothingInvented(harness: Harness, client: ConnectionProbe, times: number): void {
  for (const end of [client, ...harness.accepted]) {
    const seen = new Map<string, number>();
    for (const message of end.messages()) {
      const { method, params, result } = message;
      const key = JSON.stringify(message);
      const known = method === undefined || method === 'tck/echo';
      assert(known, `a message was delivered that was never sent: ${brief(key)}`);
      // Echoes without a text open connections.
      if (!JSON.stringify(params ?? result ?? {}).includes(text)) continue;
      const count = (seen.get(key) ?? 0) + 1;
      seen.set(key, count);
      assert(count <= times, `a message was delivered ${String(count)} times: ${brief(key)}`);
    }
  }
}

/** The served side continues, whatever happened on another connection. */
async function dialsAgain(harness: Harness): Promise<void> {
  const next = await harness.open();
  await expectEcho(harness, next);
  await harness.close(next);
}

const length = 4_096;

/** Bytes that are no message in any framing: zeros, ones, text without an end, lines, and pseudo-random bytes. */
function noises(): readonly Uint8Array[] {
  let state = 1;
  const random = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state >> 16;
  };
  const bytes = (at: (index: number) => number): Uint8Array =>
    Uint8Array.from({ length }, (_, index) => at(index));
  return [
    bytes(() => 0),
    bytes(() => 0xff),
    bytes((index) => (index === length - 1 ? 10 : 0x78)),
    bytes((index) => (index % 40 === 39 ? 10 : 0x7b)),
    bytes(random),
  ];
}
