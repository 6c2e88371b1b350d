import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { TemplateVariables } from '../src/index.js';
import { uriTemplate } from '../src/index.js';

describe('matching uris of the operators of RFC 6570', () => {
  it.each<[string, string, object | undefined]>([
    ['x:{a,b}', 'x:1,2', { a: '1', b: '2' }],
    ['x:{a,b}', 'x:1,2,3', { a: '1', b: '2,3' }],
    ['x:{a,b}', 'x:1', undefined],
    ['x:{v*}', 'x:1,2,3', { v: ['1', '2', '3'] }],
    ['x:{v*}', 'x:1%2C2,3', { v: ['1,2', '3'] }],
    ['x:{v*}', 'x:1,,3', undefined],
    ['x:{a,v*}/y', 'x:1,2,3/y', { a: '1', v: ['2', '3'] }],
    ['x:{+v*}', 'x:a/b,c', { v: ['a/b', 'c'] }],
    ['x:{v:3}', 'x:abc', { v: 'abc' }],
    ['x:{v:3}', 'x:abcd', undefined],
    ['x:{v:3}', 'x:%F0%9F%98%80bc', { v: '😀bc' }],
    ['x:a{.e}', 'x:a.txt', { e: 'txt' }],
    ['x:a{.e}', 'x:a.tar.gz', { e: 'tar.gz' }],
    ['x:a{.e}', 'x:a', {}],
    ['x:a{.e}', 'x:a.', undefined],
    ['x:a{.e}', 'x:abc', undefined],
    ['x:a{.e,f}', 'x:a.b.c', { e: 'b', f: 'c' }],
    ['x:a{.e*}', 'x:a.b.c', { e: ['b', 'c'] }],
    ['x:u{/id}', 'x:u', {}],
    ['x:u{/id}', 'x:u/1', { id: '1' }],
    ['x:u{/id}', 'x:u/1/2', undefined],
    ['x:u{/id}', 'x:u/', undefined],
    ['x:u{/id}/posts', 'x:u/posts', {}],
    ['x:u{/id}/posts', 'x:u/1/posts', { id: '1' }],
    ['x:u{/id}/posts{?page}', 'x:u/1/posts?page=2', { id: '1', page: '2' }],
    ['x:u{/a,b}', 'x:u/1', { a: '1' }],
    ['x:u{/a,b*}', 'x:u/1/2/3', { a: '1', b: ['2', '3'] }],
    ['x:/{v}/to{/p*}/{w}', 'x:/a/to/b/c/d', { v: 'a', p: ['b', 'c'], w: 'd' }],
    ['db://{host}{/path*}', 'db://h/a/b', { host: 'h', path: ['a', 'b'] }],
    ['db://{host}{/path*}', 'db://h', { host: 'h' }],
    ['x:/{f}{;rev}', 'x:/a;rev=2', { f: 'a', rev: '2' }],
    ['x:/{f}{;rev,flag}', 'x:/a;flag;rev=2', { f: 'a', flag: '', rev: '2' }],
    ['x:/{f}{;rev}', 'x:/a;other=2', undefined],
    ['x:{/p*}{;rev}', 'x:/a/b;rev=2', { p: ['a', 'b'], rev: '2' }],
    ['x:{/p*}{;rev}', 'x:/a;rev=2/b', undefined],
    ['x:{;rev}{/p*}', 'x:;rev=2/a/b', { p: ['a', 'b'], rev: '2' }],
    ['x:a{;m*}', 'x:a;k=1;l=2', { m: { k: '1', l: '2' } }],
    ['x:a{?v*}', 'x:a?v=1&v=2', { v: ['1', '2'] }],
    ['x:a{?v*}', 'x:a?k=1&%6C=%32', { v: { k: '1', l: '2' } }],
    ['x:a{?v*}', 'x:a?v=1&k=2', undefined],
    ['x:a{?v*}', 'x:a?k=1&k=2', undefined],
    ['x:a{?q,v*}', 'x:a?k=1&q=2', { q: '2', v: { k: '1' } }],
    ['x:a{?v*,w*}', 'x:a?v=1&w=2&v=3', { v: ['1', '3'], w: ['2'] }],
    ['x:a{?v*,w*}', 'x:a?k=1', undefined],
    ['x:a{?v*}', 'x:a', {}],
    ['x:a{?caf%c3%a9}', 'x:a?caf%C3%A9=1', { 'caf%c3%a9': '1' }],
    ['x:a{?caf%C3%A9}', 'x:a?café=1', { 'caf%C3%A9': '1' }],
    ['x:a{?%61*}', 'x:a?a=1&%61=2', { '%61': ['1', '2'] }],
    ['x:a{;%20,v}', 'x:a;v=1;%20=2', { '%20': '2', v: '1' }],
    ['x:/{%2F}/b', 'x:/a/b', { '%2F': 'a' }],
    ['x:a{?v:2}', 'x:a?v=ab', { v: 'ab' }],
    ['x:a{?v:2}', 'x:a?v=abc', undefined],
    ['x:a{?a}{&b}', 'x:a?b=1', { b: '1' }],
    ['x:a?fixed=1{&b}', 'x:a?fixed=1', {}],
    ['x:a?fixed=1{&b}', 'x:a?fixed=1&b=2', { b: '2' }],
    ['x:a?fixed=1{&b}', 'x:a?fixed=2&b=2', undefined],
    ['x:a?q={q}&r=1{&b}', 'x:a?q=z&r=1&b=2', { q: 'z', b: '2' }],
    ['x:a?q={q}{&b}', 'x:a?q=z&b=2', { q: 'z', b: '2' }],
    ['x:a{#f}', 'x:a#b/c?d', { f: 'b/c?d' }],
    ['x:a{#f}', 'x:a#', { f: '' }],
    ['x:a{#f}', 'x:a', {}],
    ['x:a{#f*}', 'x:a#b,c', { f: ['b', 'c'] }],
    ['x:{+p}{?q}{#f}', 'x:a/b?q=1#top', { p: 'a/b', q: '1', f: 'top' }],
    ['x:a{?v*}', 'x:a?__proto__=1', { v: JSON.parse('{"__proto__":"1"}') as object }],
  ])('%s on %s', (text, uri, vars) => {
    expect(uriTemplate(text).match(uri)).toEqual(vars);
  });

  it.each([
    ['x:{/p*}', 'x:/a/%2E%2E/b', '".."'],
    ['x:{/p*}', 'x:/a/b%2Fc', '{+p}'],
    ['x:{/p*}', 'x:/C:/b', 'drive'],
    ['x:{/p*}', 'x:/a/./b', '"." segment'],
    ['x:{/a,b}', 'x:/%2E/b', '"." segment'],
    ['x:a{.e}', 'x:a.b%5Cc', 'backslash'],
    ['x:a{;e}', 'x:a;e=b%2Fc', 'encoded slash'],
    ['x:a{?e*}', 'x:a?k=..', '".."'],
    ['x:a{?e*}', 'x:a?%00=1', 'NUL'],
    ['x:a{#e}', 'x:a#../b', '".."'],
    ['x:{v*}', 'x:a,..', '".."'],
  ])('RELIABILITY row 59: %s refuses %s', (text, uri, problem) => {
    expect(() => uriTemplate(text).match(uri)).toThrow(problem);
  });
});

describe('expanding, such that it matches back', () => {
  it.each<[string, object, string]>([
    ['x:u{/id}/p{.e}{?q*}{#f}', {}, 'x:u/p'],
    ['x:u{/id}/p{.e}{?q}{#f}', { id: '1', e: 'md', q: 'a b', f: 'a/b?c#' }, 'x:u/1/p.md?q=a%20b#a/b?c%23'],
    ['x:{/p*}', { p: ['a', 'b c'] }, 'x:/a/b%20c'],
    ['x:a{/p*}', { p: [] }, 'x:a'],
    ['x:a{?v*}', { v: { a: '1', b: '' } }, 'x:a?a=1&b='],
    ['x:a{?v*}', { v: {} }, 'x:a'],
    ['x:{v:3}', { v: 'abcdef' }, 'x:abc'],
    ['x:{+v*}', { v: ['a/b', 'c'] }, 'x:a/b,c'],
    ['x:{+v*}', { v: ['a,b', 'c'] }, 'x:a%2Cb,c'],
    ['x:{+v}', { v: 'a,b' }, 'x:a,b'],
    ['x:a{?caf%c3%a9,%61*}', { 'caf%c3%a9': '1', '%61': ['2'] }, 'x:a?caf%c3%a9=1&%61=2'],
  ])('%s with %j', (text, vars, uri) => {
    expect(uriTemplate(text).expand(vars as never)).toBe(uri);
  });

  it.each<[string, object, string]>([
    ['x:{/p*}', { p: 'a' }, '"p" must be a list of strings'],
    ['x:{/p*}', { p: { a: 'b' } }, '"p" must be a list of strings'],
    ['x:{?p*}', { p: 'a' }, 'list of strings or an object'],
    ['x:{?p}', { p: ['a'] }, '"p" must be a string'],
    ['x:{v*}', { v: [] }, 'must not be missing'],
    ['x:{/p*}', { p: ['a', ''] }, 'must not be empty'],
    ['x:{/p*}', { p: ['a/b'] }, 'holds a slash'],
    ['x:{/p*}', { p: ['..'] }, '".."'],
    ['x:a{?v*}', { v: { v: '1' } }, 'would not read back'],
    ['x:a{?q,v*}', { v: { q: '1' } }, 'would not read back'],
    ['x:u{/a,b}', { b: '1' }, 'would not read back'],
    ['x:a{?a}{&b}', { b: '1' }, 'would not read back'],
  ])('%s with %j is INVALID_PARAMS', (text, vars, problem) => {
    const failed = (): unknown => uriTemplate(text).expand(vars as never);
    expect(failed).toThrow(problem);
    expect(failed).toThrow(expect.objectContaining({ code: 'INVALID_PARAMS' }));
  });
});

it('the text of a template types its variables', () => {
  type List = readonly string[];
  type Pairs = Readonly<Record<string, string>>;
  expectTypeOf<TemplateVariables<'x:/{a}/{+b:3}{?c,d*}{&e}{#f}'>>().toEqualTypeOf<{
    readonly a: string;
    readonly b: string;
    readonly c?: string;
    readonly d?: List | Pairs;
    readonly e?: string;
    readonly f?: string;
  }>();
  expectTypeOf<TemplateVariables<'x:{a,b*}{/c*}/y{.d}{;e,f:2}'>>().toEqualTypeOf<{
    readonly a: string;
    readonly b: List;
    readonly c?: List;
    readonly d?: string;
    readonly e?: string;
    readonly f?: string;
  }>();
  expectTypeOf<TemplateVariables<'x:{caf%C3%A9}{?%20*}'>>().toEqualTypeOf<{
    readonly 'caf%C3%A9': string;
    readonly '%20'?: List | Pairs;
  }>();
  expectTypeOf(uriTemplate('x:{/p*}').match('x:/a')?.p).toEqualTypeOf<List | undefined>();
  expect(uriTemplate('x:{/p*}').variables).toEqual(['p']);
});

describe('the round trip of lists and pairs: match returns what expand made', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 5 });
  const list = fc.array(text, { maxLength: 4 });
  const pairs = fc.dictionary(text, fc.string({ maxLength: 5 }), { maxKeys: 4 });
  const cases: readonly [string, fc.Arbitrary<object>][] = [
    ['x:{/p*}/{v}{?q*}', fc.record({ p: list, v: text, q: fc.oneof(list, pairs) })],
    ['x:{v*}{;m*}', fc.record({ v: list, m: pairs })],
    ['x:a{.e*}{?f,g*}{#h*}', fc.record({ e: list, f: text, g: pairs, h: list })],
  ];

  it.each(cases)('%s', (template, vars) => {
    const uris = uriTemplate(template);
    let expanded = 0;
    fc.assert(
      fc.property(vars, (given) => {
        let uri: string;
        try {
          uri = uris.expand(given as never);
        } catch (error) {
          expect(error).toMatchObject({ code: 'INVALID_PARAMS' });
          return;
        }
        expanded += 1;
        const present = Object.entries(given).filter(([, value]) => Object.keys(value as object).length > 0);
        expect(uris.match(uri)).toEqual(Object.fromEntries(present));
      }),
      { numRuns: 500 },
    );
    expect(expanded).toBeGreaterThan(10);
  });
});
