import type { TransportError } from '@rxmcp/transport';
import { assert, equal } from '../../base/assert.js';
import { expectEcho } from '../../harness/echo.js';
import type { ConnectionProbe } from '../../harness/connection-probe.js';
import { injectFrames } from '../../harness/hooks.js';
import type { ConnectionPair, Harness } from '../../harness/harness.js';
import {
  all,
  requiresInjectFrame,
  requiresInjectable,
  requiresLocalServer,
  requiresMessageLimit,
} from '../skip-conditions.js';
import { onClient, onPair, type Rule } from '../rule.js';

const condition = all(requiresInjectFrame, requiresInjectable('served'), requiresLocalServer);

/** How many bad frames are sent at the same time. */
const atOnce = 20;

export const garbage: readonly Rule[] = [
  {
    id: 'garbage/not-json',
    description:
      'A frame that is not JSON causes one fault with the reply -32700, and the connection stays open.',
    skipIf: condition,
    verify: onPair(async (pair, harness) => {
      const { error, reply } = await faultOf(harness, pair, '{"jsonrpc":"2.0",');
      equal([error.code, reply], ['PARSE_ERROR', -32700], 'code and reply');
      await lives(harness, pair);
    }),
  },
  {
    id: 'garbage/not-utf8',
    description:
      'A frame that is not UTF-8 causes one fault with the reply -32700, and the connection stays open.',
    skipIf: all(condition, requiresInjectable('bytes')),
    verify: onPair(async (pair, harness) => {
      const [head = '', tail = ''] = '{"jsonrpc":"2.0","method":"odd","params":{"a":"?"}}'.split('?');
      const encoder = new TextEncoder();
      const { error, reply } = await faultOf(
        harness,
        pair,
        Uint8Array.of(...encoder.encode(head), 0xff, ...encoder.encode(tail)),
      );
      equal([error.code, reply], ['PARSE_ERROR', -32700], 'code and reply');
      await lives(harness, pair);
    }),
  },
  {
    id: 'garbage/to-dialled',
    description:
      'A frame that is not JSON causes a fault on the dialling side too, and the connection stays open.',
    skipIf: all(requiresInjectFrame, requiresInjectable('dialled')),
    verify: onClient(async (client, harness) => {
      await expectEcho(harness, client);
      // Where every request has a lane, the frame needs a lane that is already streaming.
      if (client.connection.traits.lanes === 'per-request') await streams(harness, client);
      const inject = await injectFrames(harness, 'dialled', client);
      await inject('{"jsonrpc":"2.0",');
      await harness.until(() => client.faults.length === 1, 'one fault');
      await expectEcho(harness, client);
      equal(client.closes.length, 0, 'calls of closed()');
    }),
  },
  {
    id: 'garbage/too-deep',
    description:
      'A frame nested deeper than 128 causes one fault with the reply -32600, and the connection stays open.',
    skipIf: condition,
    verify: onPair(async (pair, harness) => {
      const text = `{"jsonrpc":"2.0","method":"deep","params":{"a":${'['.repeat(200)}${']'.repeat(200)}}}`;
      const { error, reply } = await faultOf(harness, pair, text);
      equal([error.code, reply], ['INVALID_MESSAGE', -32600], 'code and reply');
      await lives(harness, pair);
    }),
  },
  {
    id: 'garbage/duplicate-member',
    description: 'A frame with two ids causes one fault, and the connection stays open.',
    skipIf: condition,
    verify: onPair(async (pair, harness) => {
      const { error } = await faultOf(harness, pair, '{"jsonrpc":"2.0","id":1,"id":2,"method":"tck/echo"}');
      equal(error.code, 'INVALID_MESSAGE', 'the code');
      await lives(harness, pair);
    }),
  },
  {
    id: 'garbage/no-message',
    description: 'JSON that is not a message does not end the connection.',
    skipIf: condition,
    verify: onPair(async (pair, harness) => {
      const inject = await injectFrames(harness, 'served', pair.served);
      for (const text of ['1', '"text"', 'null', 'true', '{}', '[]']) await inject(text);
      await lives(harness, pair);
    }),
  },
  {
    id: 'garbage/batch',
    description: 'A batch arrives as one array, in order.',
    skipIf: all(condition, requiresInjectable('batch')),
    verify: onPair(async ({ client, served }, harness) => {
      const batch = [
        { jsonrpc: '2.0', method: 'one' },
        { jsonrpc: '2.0', method: 'two' },
      ];
      const inject = await injectFrames(harness, 'served', served);
      await inject(JSON.stringify(batch));
      await expectEcho(harness, client);
      equal(served.deliveries[0]?.incoming, batch, 'the first delivery');
    }),
  },
  {
    id: 'garbage/proto',
    description: 'A member named `__proto__` is delivered like any other member.',
    skipIf: condition,
    verify: onPair(async ({ client, served }, harness) => {
      const inject = await injectFrames(harness, 'served', served);
      await inject('{"jsonrpc":"2.0","method":"p","params":{"__proto__":{"polluted":1}}}');
      await expectEcho(harness, client);
      const params = served.notifications('p')[0] ?? {};
      assert(Object.hasOwn(params, '__proto__'), 'the member is missing');
    }),
  },
  {
    id: 'garbage/too-large',
    description: 'A frame over the limit causes a fault or an end with a typed error, and is not delivered.',
    skipIf: all(condition, requiresMessageLimit),
    verify: onPair(async ({ client, served }, harness) => {
      await expectEcho(harness, client);
      const inject = await injectFrames(harness, 'served', served);
      const pad = 'x'.repeat(served.connection.traits.maxMessageBytes + 1_024);
      const frame = `{"jsonrpc":"2.0","method":"large","params":{"pad":"${pad}"}}`;
      // The connection may end while the frame is still being sent.
      const injected = inject(frame).catch(() => undefined);
      const handled = (): number => served.faults.length + served.closes.length;
      await harness.until(
        () => handled() > 0 || served.notifications('large').length > 0,
        'a fault or an end',
      );
      equal(served.notifications('large').length, 0, 'frames over the limit that were delivered');
      for (const end of served.closes) assert(end !== undefined, 'a frame over the limit ended in order');
      await injected.catch(() => undefined);
      if (client.closes.length === 0 && served.closes.length === 0) await expectEcho(harness, client);
    }),
  },
  {
    id: 'garbage/flood',
    description: 'Each of 300 bad frames causes one fault, and the connection stays open.',
    skipIf: condition,
    verify: onPair(async (pair, harness) => {
      const inject = await injectFrames(harness, 'served', pair.served);
      for (let sent = 0; sent < 300; sent += atOnce) {
        await Promise.all(Array.from({ length: atOnce }, () => inject('{')));
      }
      await harness.untilCount(() => pair.served.faults.length, 300, '300 faults');
      await lives(harness, pair);
    }),
  },
];

async function streams(harness: Harness, client: ConnectionProbe): Promise<void> {
  await client.request('streams', 'tck/hold', { count: 1 });
  await harness.until(
    () => client.notifications('tck/progressed').length === 1,
    'a message of a request on hold',
  );
}

async function faultOf(harness: Harness, { client, served }: ConnectionPair, frame: string | Uint8Array) {
  await expectEcho(harness, client);
  const inject = await injectFrames(harness, 'served', served);
  const answered = await inject(frame);
  await harness.until(() => served.faults.length > 0 || served.closes.length > 0, 'a fault');
  equal([served.faults.length, served.closes.length], [1, 0], 'faults and ends');
  const [error] = served.faults as [TransportError];
  return { error, reply: error.reply?.error.code ?? answered };
}

async function lives(harness: Harness, { client, served }: ConnectionPair): Promise<void> {
  await expectEcho(harness, client);
  equal([client.closes.length, served.closes.length], [0, 0], 'ends');
}
