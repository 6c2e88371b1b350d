import type { JsonObject } from '@rxmcp/jsonrpc';
import { setFlagsFromString } from 'node:v8';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { metaWithToken, replaceMeta } from '../../src/base/request-meta.js';
import type { Session } from '../../src/client/sessions/session.js';
import { outgoing } from '../../src/eras/modern/codec.js';
import { withMeta } from '../../src/interceptors/index.js';

setFlagsFromString('--allow-natives-syntax');
afterAll(() => setFlagsFromString('--no-allow-natives-syntax'));

const session = {
  version: '2025-11-25',
  definition: { info: { name: 'a', version: '1' }, modernCapabilities: {} },
} as unknown as Session;

const params = (text: string): JsonObject => ({ name: 'echo', arguments: { text } });
const claimed = (text: string): JsonObject => ({ ...params(text), _meta: { 'x/a': text } });

describe('the _meta of parameters', () => {
  it('is replaced in a copy', () => {
    const given = claimed('b');
    expect(replaceMeta(given, { 'x/c': 1 })).toEqual({ ...params('b'), _meta: { 'x/c': 1 } });
    expect(replaceMeta(undefined, {})).toEqual({ _meta: {} });
    expect(given).toEqual(claimed('b'));
  });

  it('has the token of this call and the last of each other member', () => {
    const own = { progressToken: 'theirs', 'x/a': 1, 'x/b': 1 };
    const more = { progressToken: 'theirs too', 'x/b': 2 };
    expect(metaWithToken(7, own, more)).toEqual({ progressToken: 7, 'x/a': 1, 'x/b': 2 });
    expect(metaWithToken(7, undefined)).toEqual({ progressToken: 7 });
    expect(outgoing(session, { _meta: own }, { id: 7, meta: more })._meta).toEqual({
      progressToken: 7,
      'x/a': 1,
      'x/b': 2,
      'io.modelcontextprotocol/protocolVersion': '2025-11-25',
      'io.modelcontextprotocol/clientInfo': { name: 'a', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    });
  });

  it('takes what an interceptor adds', () => {
    expect(withMeta(claimed('b'), { 'x/c': 1 })).toEqual({ ...params('b'), _meta: { 'x/a': 'b', 'x/c': 1 } });
    expect(withMeta(claimed('b'), { 'x/a': 1 })).toEqual({ ...params('b'), _meta: { 'x/a': 1 } });
    expect(withMeta(undefined, { 'x/c': 1 })).toEqual({ _meta: { 'x/c': 1 } });
    expect(withMeta({ _meta: 'none' }, { 'x/c': 1 })).toEqual({ _meta: { 'x/c': 1 } });
  });

  it('leaves a member called __proto__ a member', () => {
    const given = JSON.parse('{"__proto__":{"a":1},"_meta":{"__proto__":{"b":2}}}') as JsonObject;
    const text = '{"_meta":{"progressToken":1,"__proto__":{"b":2}},"__proto__":{"a":1}}';
    expect(JSON.stringify(replaceMeta(given, metaWithToken(1, given._meta as JsonObject)))).toBe(text);
  });
});

// Where Node is newer than 20 they have one in any case.
describe('parameters made one after the other have one hidden class', () => {
  type Make = (id: number) => JsonObject;
  const isOne = new Function('a', 'b', 'return %HaveSameMap(a, b) && %HaveSameMap(a._meta, b._meta)') as (
    a: JsonObject,
    b: JsonObject,
  ) => boolean;

  // A literal that has met many shapes elsewhere does nothing for the class: each test has modules of its own.
  beforeEach(() => void vi.resetModules());
  const legacy = async (params: JsonObject, meta?: JsonObject): Promise<Make> => {
    const { outgoing } = await import('../../src/eras/legacy/codec.js');
    return (id) => outgoing(session, 'tools/call', params, { id, meta });
  };
  const modern = async (params: JsonObject, meta?: JsonObject): Promise<Make> => {
    const { outgoing } = await import('../../src/eras/modern/codec.js');
    return (id) => outgoing(session, params, { id, meta });
  };

  it.each([
    ['of the legacy era', () => legacy(params('a'))],
    ['of the legacy era, with a _meta', () => legacy(claimed('a'), { 'x/c': 1 })],
    ['of the modern era', () => modern(params('a'))],
    ['of the modern era, with a _meta', () => modern(claimed('a'), { 'x/c': 1 })],
  ])('%s', async (_, load) => {
    const make = await load();
    // What the first ones are made of may still change.
    for (let id = 1; id < 100; id += 1) make(id);
    expect(isOne(make(100), make(101))).toBe(true);
  });
});
