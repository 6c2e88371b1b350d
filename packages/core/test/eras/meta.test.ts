import { setFlagsFromString } from 'node:v8';
import type { JsonObject } from '@rxmcp/jsonrpc';
import { describe, expect, it } from 'vitest';
import type { Session } from '../../src/client/session.js';
import { metaWithToken, replaceMeta } from '../../src/eras/meta.js';
import * as legacy from '../../src/eras/legacy/codec.js';
import * as modern from '../../src/eras/modern/codec.js';
import { withMeta } from '../../src/interceptors/index.js';

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
    expect(modern.outgoing(session, { _meta: own }, { id: 7, meta: more })._meta).toEqual({
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

describe('parameters made one after the other have one hidden class', () => {
  setFlagsFromString('--allow-natives-syntax');
  const alike = new Function('a', 'b', 'return %HaveSameMap(a, b) && %HaveSameMap(a._meta, b._meta)') as (
    a: JsonObject,
    b: JsonObject,
  ) => boolean;

  const made: Record<string, (id: number) => JsonObject> = {
    'of the legacy era': (id) => legacy.outgoing(session, 'tools/call', params('a'), { id }),
    'of the legacy era, with a _meta': (id) =>
      legacy.outgoing(session, 'tools/call', claimed('a'), { id, meta: { 'x/c': 1 } }),
    'of the modern era': (id) => modern.outgoing(session, params('a'), { id }),
    'of the modern era, with a _meta': (id) =>
      modern.outgoing(session, claimed('a'), { id, meta: { 'x/c': 1 } }),
  };
  it.each(Object.keys(made))('%s', (name) => {
    const make = made[name] as (id: number) => JsonObject;
    // What the first ones are made of may still change.
    for (let id = 1; id < 100; id += 1) make(id);
    expect(alike(make(100), make(101))).toBe(true);
  });
});
