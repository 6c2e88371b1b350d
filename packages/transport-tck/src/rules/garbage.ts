import type { JsonObject } from '@rxmcp/jsonrpc';
import { assert, equal } from '../stage/assert.js';
import { expectEcho } from '../harness/echo.js';
import type { ConnectionProbe } from '../harness/connection-probe.js';
import { injectFrames } from '../harness/hooks.js';
import type { ConnectionPair, Harness } from '../harness/harness.js';
import { all, garbage as hook, requiresLocalServer } from '../laws/gates.js';
import type { Rule } from '../laws/law.js';

const gate = all(hook, requiresLocalServer);

/** Bad frames on their way at the same time. */
const atOnce = 20;

export const garbage: readonly Rule[] = [
  {
    id: 'garbage/not-json',
    description: 'A frame that is no JSON is one fault with the answer -32700, and the connection lives.',
    skipIf: gate,
    async verify(stage: Harness): Promise<void> {
      const pair = await stage.pair();
      const { error, reply } = await faultOf(stage, pair, '{"jsonrpc":"2.0",');
      equal([error.code, reply], ['PARSE_ERROR', -32700], 'code and reply');
      await lives(stage, pair);
    },
  },
  {
    id: 'garbage/not-utf8',
    description: 'A frame that is not UTF-8 is one fault with the answer -32700, and the connection lives.',
    skipIf: gate,
    async verify(stage: Harness): Promise<void> {
      const pair = await stage.pair();
      const [head = '', tail = ''] = '{"jsonrpc":"2.0","method":"odd","params":{"a":"?"}}'.split('?');
      const encoder = new TextEncoder();
      const { error, reply } = await faultOf(
        stage,
        pair,
        Uint8Array.of(...encoder.encode(head), 0xff, ...encoder.encode(tail)),
      );
      equal([error.code, reply], ['PARSE_ERROR', -32700], 'code and reply');
      await lives(stage, pair);
    },
  },
  {
    id: 'garbage/to-dialled',
    description: 'A frame that is no JSON is a fault on the dialling side too, and the connection lives.',
    skipIf: hook,
    async verify(stage: Harness): Promise<void> {
      const client = await stage.open();
      await expectEcho(stage, client);
      // Where every request has a lane, one that streams already is needed for the frame to come in.
      if (client.connection.traits.lanes === 'per-request') await streams(stage, client);
      const inject = await injectFrames(stage, 'dialled', client);
      await inject('{"jsonrpc":"2.0",');
      await stage.until(() => client.faults.length === 1, 'one fault');
      await expectEcho(stage, client);
      equal(client.closes.length, 0, 'calls of closed()');
    },
  },
  {
    id: 'garbage/too-deep',
    description:
      'A frame nested over 128 deep is one fault with the answer -32600, and the connection lives.',
    skipIf: gate,
    async verify(stage: Harness): Promise<void> {
      const pair = await stage.pair();
      const text = `{"jsonrpc":"2.0","method":"deep","params":{"a":${'['.repeat(200)}${']'.repeat(200)}}}`;
      const { error, reply } = await faultOf(stage, pair, text);
      equal([error.code, reply], ['INVALID_MESSAGE', -32600], 'code and reply');
      await lives(stage, pair);
    },
  },
  {
    id: 'garbage/duplicate-member',
    description: 'A frame with two ids is one fault, and the connection lives.',
    skipIf: gate,
    async verify(stage: Harness): Promise<void> {
      const pair = await stage.pair();
      const { error } = await faultOf(stage, pair, '{"jsonrpc":"2.0","id":1,"id":2,"method":"tck/echo"}');
      equal(error.code, 'INVALID_MESSAGE', 'the code');
      await lives(stage, pair);
    },
  },
  {
    id: 'garbage/no-message',
    description: 'JSON that is no message ends nothing.',
    skipIf: gate,
    async verify(stage: Harness): Promise<void> {
      const pair = await stage.pair();
      const inject = await injectFrames(stage, 'served', pair.served);
      for (const text of ['1', '"text"', 'null', 'true', '{}', '[]']) await inject(text);
      await lives(stage, pair);
    },
  },
  {
    id: 'garbage/batch',
    description: 'A batch arrives as one array, in its place.',
    skipIf: gate,
    async verify(stage: Harness): Promise<void> {
      const { client, served } = await stage.pair();
      const batch = [
        { jsonrpc: '2.0', method: 'one' },
        { jsonrpc: '2.0', method: 'two' },
      ];
      const inject = await injectFrames(stage, 'served', served);
      await Promise.all([inject(JSON.stringify(batch)), expectEcho(stage, client)]);
      equal(served.deliveries[0]?.incoming, batch, 'the first delivery');
    },
  },
  {
    id: 'garbage/proto',
    description: 'A member called `__proto__` is a member like any other.',
    skipIf: gate,
    async verify(stage: Harness): Promise<void> {
      const { client, served } = await stage.pair();
      const inject = await injectFrames(stage, 'served', served);
      await inject('{"jsonrpc":"2.0","method":"p","params":{"__proto__":{"polluted":1}}}');
      await expectEcho(stage, client);
      const params = served.told('p')[0] ?? {};
      assert(Object.hasOwn(params, '__proto__'), 'the member is gone');
      assert((params as JsonObject)['polluted'] === undefined, 'the member became the prototype');
    },
  },
  {
    id: 'garbage/flood',
    description: 'Hundreds of bad frames are as many faults, and the connection lives.',
    skipIf: gate,
    async verify(stage: Harness): Promise<void> {
      const pair = await stage.pair();
      const inject = await injectFrames(stage, 'served', pair.served);
      for (let sent = 0; sent < 300; sent += atOnce) {
        await Promise.all(Array.from({ length: atOnce }, () => inject('{')));
      }
      await stage.untilCount(() => pair.served.faults.length, 300, '300 faults');
      await lives(stage, pair);
    },
  },
];

async function streams(stage: Harness, client: ConnectionProbe): Promise<void> {
  await client.request('streams', 'tck/hold', { count: 1 });
  await stage.until(() => client.told('tck/progressed').length === 1, 'a message of a request on hold');
}

async function faultOf(stage: Harness, { client, served }: ConnectionPair, frame: string | Uint8Array) {
  await expectEcho(stage, client);
  const inject = await injectFrames(stage, 'served', served);
  const answered = await inject(frame);
  await stage.until(() => served.faults.length > 0 || served.closes.length > 0, 'a fault');
  equal([served.faults.length, served.closes.length], [1, 0], 'faults and ends');
  const [error] = served.faults;
  assert(error !== undefined, 'no fault was told');
  return { error, reply: error.reply?.error.code ?? answered };
}

async function lives(stage: Harness, { client, served }: ConnectionPair): Promise<void> {
  await expectEcho(stage, client);
  equal([client.closes.length, served.closes.length], [0, 0], 'ends');
}
