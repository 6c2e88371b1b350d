import type { JsonObject, JsonRpcMessage } from '@rxmcp/jsonrpc';
import { assert, equal } from '../../base/assert.js';
import { requestResult } from '../../harness/echo.js';
import { onClient, type Rule } from '../rule.js';

/** Text that a wire may not normalise: decomposed and composed letters, marks, a byte order mark, joined emoji. */
const unnormalized = [
  'e\u0301',
  '\u00e9',
  'A\u030a',
  '\u212b',
  '\ufb01',
  '\ufeffmark',
  '\u0928\u093c',
  '👩\u200d💻',
  '\u1e9b\u0323',
];
const numbers = [
  0.1 + 0.2,
  Number.MIN_VALUE,
  Number.MAX_VALUE,
  123_456_789.123_456_78,
  1e21,
  Number.EPSILON,
  Number.MIN_SAFE_INTEGER,
  4.35,
];
const extension = { kept: true, list: [1, null, { deep: '' }], '': 'empty name' };

/** Rules about messages that must arrive as they were sent, in both directions. */
export const message: readonly Rule[] = [
  {
    id: 'message/unnormalized-text',
    description: 'Text that is not in a normal form arrives unchanged, also as the name of a member.',
    verify: onClient(async (client, harness) => {
      const params = { unnormalized, named: Object.fromEntries(unnormalized.map((text, at) => [text, at])) };
      equal(await requestResult(harness, client, 'tck/echo', params), { echo: params }, 'the echo');
    }),
  },
  {
    id: 'message/numbers',
    description: 'Numbers arrive with their whole precision.',
    verify: onClient(async (client, harness) => {
      equal(await requestResult(harness, client, 'tck/echo', { numbers }), { echo: { numbers } }, 'the echo');
    }),
  },
  {
    id: 'message/meta',
    description: 'The `_meta` of a request, of a notification and of a result arrive unchanged.',
    verify: onClient(async (client, harness) => {
      const _meta = { 'tck.example/key': extension, progressToken: 0 };
      const result = await requestResult(harness, client, 'tck/mirror', { _meta });
      const there = (result['params'] as JsonObject | undefined)?.['_meta'];
      equal(chosen(there, _meta), _meta, 'the `_meta` of the request on the served side');
      equal(chosen(result['_meta'], _meta), _meta, 'the `_meta` of the result');
      const mirrored = client.messages().find(({ method }) => method === 'tck/mirrored');
      const back = (mirrored?.['params'] as JsonObject | undefined)?.['_meta'];
      equal(chosen(back, _meta), _meta, 'the `_meta` of the notification');
    }),
  },
  {
    id: 'message/unknown-members-dialled',
    description: 'Unknown members of a notification and of a response are delivered to the dialling side.',
    verify: onClient(async (client, harness) => {
      const result = await requestResult(harness, client, 'tck/odd', { extension });
      equal(result, { odd: { extension } }, 'the result');
      for (const delivered of client.messages()) {
        const what = 'method' in delivered ? 'notification' : 'response';
        equal(delivered['extension'], { extension }, `the unknown member of the ${what}`);
      }
    }),
  },
  {
    id: 'message/large-non-ascii',
    description: 'A large message of characters with several bytes arrives whole, in both directions.',
    verify: onClient(async (client, harness) => {
      const { maxMessageBytes } = client.connection.traits;
      const length = Math.floor(Math.min(maxMessageBytes / 4, 400_000) / 9);
      const unit = 'é€😀';
      const text = `a${unit.repeat(length)}`;
      const echo = (await requestResult(harness, client, 'tck/length', { pad: text }))['length'];
      equal(echo, text.length, 'the length on the served side');
      const response = (await requestResult(harness, client, 'tck/respond', { unit, length }))['text'];
      assert(response === unit.repeat(length), 'the text of the response differs from what was sent');
    }),
  },
  {
    id: 'message/null-members',
    description: 'Members with the value null are delivered, and absent ones stay absent.',
    verify: onClient(async (client, harness) => {
      const params = { nothing: null, list: [null], nested: { nothing: null } };
      equal(await requestResult(harness, client, 'tck/echo', params), { echo: params }, 'the echo');
      const bare = { jsonrpc: '2.0', id: 'bare', method: 'tck/echo' } as JsonRpcMessage;
      const lane = client.connection.traits.lanes === 'per-request' ? { lane: {} } : {};
      await client.send(bare, lane);
      await harness.until(
        () => client.responses('bare').length === 1,
        'the response to a request without params',
      );
      equal(
        Object.keys(client.responses('bare')[0] ?? {}).sort(),
        ['id', 'jsonrpc', 'result'],
        'its members',
      );
    }),
  },
];

/** The members that the kit sent, since a fixture may add others. */
function chosen(found: unknown, sent: JsonObject): unknown {
  if (typeof found !== 'object' || found === null) return found;
  return Object.fromEntries(Object.keys(sent).map((name) => [name, (found as JsonObject)[name]]));
}
