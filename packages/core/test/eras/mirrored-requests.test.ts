import type { MessageHeaders } from '@rxmcp/transport';
import { describe, expect, it } from 'vitest';
import { offerMethod } from '../../src/index.js';
import { defineOffer } from '../../src/internal.js';
import type { Frame } from '../rig/pipe.js';
import { modernMeta, rawClient } from '../rig/raw-client.js';
import type { RawClient } from '../rig/raw-client.js';
import { until } from '../rig/turn.js';

const version = '2026-07-28';
const traits = { lanes: 'per-request', idScope: 'lane', carriesHeaders: true } as const;
let runs = 0;
const ran = () => ({ content: [{ type: 'text', text: String((runs += 1)) }] });
const region = { header: 'region', path: ['arguments', 'region'] };
const count = { header: 'count', path: ['arguments', 'at', 'count'] };
const dry = { header: 'dry', path: ['arguments', 'dry'] };
const offers = [
  defineOffer({
    name: 'tools',
    side: 'server',
    capabilities: { tools: {} },
    methods: [
      {
        method: 'tools/call',
        handle: ran,
        headerParams: ({ name }) =>
          name === 'later' ? Promise.resolve([region]) : name === 'none' ? [] : [region, count, dry],
      },
      { method: 'resources/read', handle: ran },
      { method: 'prompts/get', handle: ran },
    ],
  }),
  offerMethod('x/own', {}, ran),
];

interface Answered {
  readonly frame: Frame;
  readonly refusal: string | undefined;
}

/** Sends a request with its mirror and gives the response with its refusal. */
async function ask(client: RawClient, mirror: MessageHeaders | undefined, frame: object): Promise<Answered> {
  const from = client.sent.length;
  const lane = {};
  client.putOn(
    { jsonrpc: '2.0', id: 1, ...frame },
    { lane, ...(mirror === undefined ? {} : { headers: mirror }) },
  );
  const at = (): number => client.sent.findIndex((f, i) => i >= from && f.method === undefined);
  await until(() => at() !== -1);
  expect(client.envelopes[at()]?.lane).toBe(lane);
  return { frame: client.sent[at()] as Frame, refusal: client.envelopes[at()]?.rejection };
}
const request = (method: string, params: object = {}, claims: unknown = modernMeta()) => ({
  method,
  params: { ...params, _meta: claims },
});
const mismatch = { frame: { id: 1, error: { code: -32020 } }, refusal: 'header-mismatch' };

describe('row 32: the headers of a request are compared with its body', () => {
  it.each<[string, MessageHeaders | undefined]>([
    ['nothing at all', undefined],
    ['no version', { method: 'x/own' }],
    ['another version', { version: '2025-11-25', method: 'x/own' }],
    ['no method', { version }],
    ['another method', { version, method: 'tools/call' }],
    ['a method in another case', { version, method: 'X/own' }],
  ])('%s: refused', async (_what, mirror) => {
    expect(await ask(rawClient(offers, { traits }), mirror, request('x/own'))).toMatchObject(mismatch);
  });

  it('accepts equal headers, and ignores a name header where the method has none', async () => {
    const client = rawClient(offers, { traits });
    expect((await ask(client, { version, method: 'x/own' }, request('x/own'))).frame).toHaveProperty(
      'result',
    );
    const more = { version, method: 'x/own', name: 'x', 'param.region': 'eu' };
    expect((await ask(client, more, request('x/own'))).frame).toHaveProperty('result');
  });

  it.each([
    ['tools/call', { name: 'none' }, 'none'],
    ['prompts/get', { name: 'greet' }, 'greet'],
    ['resources/read', { uri: 'file:///ä' }, 'file:///ä'],
  ])('the name of %s', async (method, params, name) => {
    const client = rawClient(offers, { traits });
    const good = { version, method, name };
    expect((await ask(client, good, request(method, params))).frame).toHaveProperty('result');
    const before = runs;
    for (const mirror of [
      { version, method },
      { ...good, name: `${name} ` },
      { ...good, name: 'NONE' },
    ])
      expect(await ask(client, mirror, request(method, params))).toMatchObject(mismatch);
    expect(await ask(client, good, request(method, {}))).toMatchObject(mismatch);
    expect(runs).toBe(before);
  });

  it.each<[string, MessageHeaders, object, boolean]>([
    [
      'all as they are',
      { region: 'eu', count: '3', dry: 'true' },
      { region: 'eu', at: { count: 3 }, dry: true },
      true,
    ],
    ['a number written in another way', { count: '3.0' }, { at: { count: 3 } }, true],
    ['a number with a sign', { count: '-7' }, { at: { count: -7 } }, true],
    ['an empty text', { region: '' }, { region: '' }, true],
    ['null and absent values, and nothing for them', {}, { region: null }, true],
    ['a value of a kind that does not travel', {}, { region: ['eu'], dry: {} }, true],
    ['no path to it', {}, { at: 'x' }, true],
    ['an unknown param', { colour: 'red' }, {}, true],
    ['another text', { region: 'us' }, { region: 'eu' }, false],
    ['a text in another case', { region: 'EU' }, { region: 'eu' }, false],
    ['nothing for a text', {}, { region: 'eu' }, false],
    ['nothing for an empty text', {}, { region: '' }, false],
    ['a text for nothing', { region: 'eu' }, {}, false],
    ['a text for null', { region: 'null' }, { region: null }, false],
    ['another number', { count: '4' }, { at: { count: 3 } }, false],
    ['no number', { count: '3x' }, { at: { count: 3 } }, false],
    ['a number in another base', { count: '0x3' }, { at: { count: 3 } }, false],
    ['nothing but blanks for 0', { count: ' ' }, { at: { count: 0 } }, false],
    ['another word', { dry: 'True' }, { dry: true }, false],
    ['0 for false', { dry: '0' }, { dry: false }, false],
  ])('params of a tool: %s', async (_what, params, args, good) => {
    const client = rawClient(offers, { traits });
    const method = 'tools/call';
    const mirror: Record<string, string> = { version, method, name: 't' };
    for (const [key, value] of Object.entries(params)) mirror[`param.${key}`] = value;
    const response = await ask(client, mirror, request(method, { name: 't', arguments: args }));
    if (good) expect(response.frame).toHaveProperty('result');
    else expect(response).toMatchObject(mismatch);
  });

  it('params that are known later, and arguments that are not an object', async () => {
    const client = rawClient(offers, { traits });
    const mirror = { version, method: 'tools/call', name: 'later' };
    const params = { name: 'later', arguments: { region: 'eu' } };
    expect(await ask(client, mirror, request('tools/call', params))).toMatchObject(mismatch);
    const good = { ...mirror, 'param.region': 'eu' };
    expect((await ask(client, good, request('tools/call', params))).frame).toHaveProperty('result');
    const odd = request('tools/call', { name: 'later', arguments: 'x' });
    expect((await ask(client, mirror, odd)).frame).toHaveProperty('result');
  });

  it('inherited members are not values', async () => {
    const offer = defineOffer({
      name: 'x',
      side: 'server',
      capabilities: {},
      methods: [
        {
          method: 'x/run',
          handle: ran,
          headerParams: () => [{ header: 'a', path: ['constructor', 'name'] }],
        },
      ],
    });
    const client = rawClient([offer], { traits });
    const mirror = { version, method: 'x/run' };
    expect((await ask(client, mirror, request('x/run'))).frame).toHaveProperty('result');
  });
});

it('is checked after the metadata, before the version, and the rest after the method', async () => {
  const client = rawClient(offers, { traits });
  const codeOf = async (mirror: MessageHeaders, frame: object): Promise<unknown> =>
    (await ask(client, mirror, frame)).frame.error?.code;
  const other = { version: 'x', method: 'x' };
  const pv = 'io.modelcontextprotocol/protocolVersion';
  const claims = { ...modernMeta(), [pv]: '2099-01-01' };
  expect(await codeOf(other, request('x/own', {}, { [pv]: version }))).toBe(-32602);
  expect(await codeOf(other, request('x/own', {}, claims))).toBe(-32020);
  expect(await codeOf({ version: '2099-01-01', method: 'x/own' }, request('x/own', {}, claims))).toBe(-32022);
  expect(await codeOf(other, request('x/unknown'))).toBe(-32020);
  expect(await codeOf({ version, method: 'x/unknown' }, request('x/unknown'))).toBe(-32601);
});

it('is not required by carriers without mirrors, nor in requests of the older era', async () => {
  const pipe = rawClient(offers);
  expect(await pipe.modern(1, 'tools/call', { name: 't', arguments: { region: 'eu' } })).toHaveProperty(
    'result',
  );
  const client = rawClient(offers, { traits });
  const older = { method: 'tools/call', params: { name: 't', arguments: { region: 'eu' } } };
  expect((await ask(client, undefined, older)).frame).toHaveProperty('result');
});
