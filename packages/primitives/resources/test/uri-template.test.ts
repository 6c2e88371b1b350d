import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RxmcpError } from '@rxmcp/core';
import { uriTemplate } from '../src/index.js';
import { rounds } from '../../../../vitest.rounds.js';

describe('valid uri templates', () => {
  it.each([
    ['file:///{a}{b}', 'adjacent variables'],
    ['file:///{+a}{b}', 'adjacent variables'],
    ['file:///{+a}/{+b}', 'two variables of many segments'],
    ['file:///{a}/{a}', 'two variables are called "a"'],
    ['file:///{a}{?a}', 'two variables are called "a"'],
    ['file:///{a}{?%61}', 'two variables are called "%61"'],
    ['file:///{a%4}', 'is not supported'],
    ['file:///{a', 'a "{" without its "}"'],
    ['file:///a}', 'a "}" without its "{"'],
    ['file:///{}', 'is not supported'],
    ['file:///{=a}', 'keeps "=" for later'],
    ['file:///{a:0}', 'is not supported'],
    ['file:///{a:10000}', 'is not supported'],
    ['file:///{a*:3}', 'is not supported'],
    ['file:///{a b}', 'is not supported'],
    ['file:///{a}{.b}', 'between "a" and "b"'],
    ['file:///{+a}{/b}', 'between "a" and "b"'],
    ['file:///{/a}{/b}', 'between "a" and "b"'],
    ['file:///{/a}/x{+b}', 'are ambiguous: "a" and "b"'],
    ['file:///{+a,b}', 'are ambiguous: "a" and "b"'],
    ['file:///{#a,b}', 'are ambiguous: "a" and "b"'],
    ['file:///{a*,b}', 'nothing may follow "a*"'],
    ['file:///x{&a}', 'needs a "?"'],
    ['file:///x#y?{&a}', 'before the query expression'],
    ['file:///x#y{#a}', 'a "#" before the fragment'],
    ['file:///{#a}x', 'nothing may follow the fragment'],
    ['file:///{?a}/b', 'nothing may follow'],
    ['file:///{?a}{?b}', 'nothing may follow'],
    ['file:///x?a={a}{?b}', 'before the query expression'],
    ['{scheme}://a', 'needs a scheme'],
    ['文件:///{a}', 'the scheme "文件"'],
    ['file:///a b/{c}', 'percent-encoded'],
    [`file:///${'a'.repeat(8_192)}{b}`, 'too long'],
    [`x:${Array.from({ length: 257 }, (_, i) => `/{v${i}}`).join('')}`, 'too many'],
  ])('%.60s is refused', (text, problem) => {
    expect(() => uriTemplate(text)).toThrow(TypeError);
    expect(() => uriTemplate(text)).toThrow(problem);
  });

  it('knows its variables, also 256 of them', () => {
    expect(uriTemplate('db://{host}/{+path}{?a,b}').variables).toEqual(['host', 'path', 'a', 'b']);
    const many = uriTemplate(`x:${Array.from({ length: 256 }, (_, i) => `/{v${i}}`).join('')}`);
    expect(Object.keys(many.match(`x:${'/y'.repeat(256)}`) ?? {})).toHaveLength(256);
  });

  it('types its variables', () => {
    const vars = uriTemplate('db://{host}/{+path}{?a,b}').match('db://h/p/q?b=1');
    const host: string | undefined = vars?.host;
    const b: string | undefined = vars?.b;
    // @ts-expect-error there is no such variable
    expect(vars?.other).toBeUndefined();
    expect([host, vars?.path, vars?.a, b]).toEqual(['h', 'p/q', undefined, '1']);
  });
});

describe('matching', () => {
  it.each<[string, string, Record<string, string> | undefined]>([
    ['file:///{path}', 'file:///a.txt', { path: 'a.txt' }],
    ['file:///{path}', 'file:///a/b.txt', undefined],
    ['file:///{path}', 'file:///', undefined],
    ['file:///{path}', 'file:///a?b', undefined],
    ['file:///{path}', 'http://a', undefined],
    ['file:///{path}', 'no uri', undefined],
    ['file:///{+path}', 'file:///a/b.txt', { path: 'a/b.txt' }],
    ['file:///{+path}', 'file:///a/b#c', undefined],
    ['FILE:///{+path}', 'file:///%41', { path: 'A' }],
    ['file:///文/{v}', 'file:///%E6%96%87/%E6%97%A5', { v: '日' }],
    ['file:///{v}', 'file:///日', { v: '日' }],
    ['file:///{v}', 'file:///%2525', { v: '%25' }],
    ['x:/{a}-{b}.{c}', 'x:/1-2-3.4.5', { a: '1', b: '2-3', c: '4.5' }],
    ['x:/{a}/{b}', 'x:/1/2/3', undefined],
    ['x:/{a}ab', 'x:/zabab', { a: 'zab' }],
    ['x:/{a}/end', 'x:/1/end/end', undefined],
    ['x:/{a}/{+m}/{b}.{c}', 'x:/1/2/3/4.5.6', { a: '1', m: '2/3', b: '4.5', c: '6' }],
    ['x:/{+m}/end', 'x:/a/end/end', { m: 'a/end' }],
    ['x:/{+m}ab', 'x:/ab', undefined],
    ['x:;{+a}2{b}', 'x:;2%2C', undefined],
    ['x:;{+a}2{b}', 'x:;2%2C2%2C', { a: '2,', b: ',' }],
    ['x:{+a}C', 'x:%2C', undefined],
    ['x:{a}C', 'x:%2C', undefined],
    ['x:{a}C{b}', 'x:%2CCd', { a: ',', b: 'd' }],
    ['x:{a}2{b}', 'x:%22', undefined],
    ['x:{a}22{b}', 'x:%2222b', { a: '"', b: 'b' }],
    ['x:{+a}%2C2{b}', 'x:a%2C2b', { a: 'a', b: 'b' }],
    ['x:{+a}&A', 'x:%2C&A', { a: ',' }],
    ['x:{+a}&A', 'x:,&A', { a: ',' }],
    ['x:{+a}', 'x:a,,b', { a: 'a,,b' }],
    ['logs://recent{?timeframe,level}', 'logs://recent', {}],
    ['logs://recent{?timeframe,level}', 'logs://recent?', {}],
    [
      'logs://recent{?timeframe,level}',
      'logs://recent?level=a&timeframe=1%20h',
      { level: 'a', timeframe: '1 h' },
    ],
    ['logs://recent{?timeframe}', 'logs://recent?timeframe', { timeframe: '' }],
    ['logs://recent{?timeframe}', 'logs://recent?other=1', undefined],
    ['logs://recent{?timeframe}', 'logs://recent?timeframe=1&timeframe=2', undefined],
    ['logs://recent{?timeframe}', 'logs://recent?timeframe=1#x', undefined],
    ['logs://{host}{?q}', 'logs://h?q=a/b', { host: 'h', q: 'a/b' }],
    ['x:/{__proto__}{?constructor}', 'x:/a?constructor=b', JSON.parse('{"__proto__":"a","constructor":"b"}')],
  ])('%s on %s', (text, uri, vars) => {
    expect(uriTemplate(text).match(uri)).toEqual(vars);
  });
});

describe('expanding', () => {
  it('encodes what must be encoded', () => {
    expect(uriTemplate('file:///{v}').expand({ v: "a b(日)'!*&=%" })).toBe(
      'file:///a%20b%28%E6%97%A5%29%27%21%2A%26%3D%25',
    );
    expect(uriTemplate('file:///{+p}').expand({ p: 'src/[id]/a&b (1)?#%.ts' })).toBe(
      'file:///src/%5Bid%5D/a&b%20(1)%3F%23%25.ts',
    );
    const logs = uriTemplate('logs://recent{?timeframe,level}');
    expect(logs.expand({})).toBe('logs://recent');
    expect(logs.expand({ level: '', timeframe: '1 h' })).toBe('logs://recent?timeframe=1%20h&level=');
  });

  it('suggests {+path} for a value with slashes', () => {
    expect(() => uriTemplate('file:///{path}').expand({ path: 'a/b' })).toThrow('{+path}');
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['x:/{v}', {}, 'missing'],
    ['x:/{v}', { v: '' }, 'empty'],
    ['x:/{v}', { v: 1 }, 'must be a string'],
    ['x:/{v}', { v: 'a', w: 'b' }, 'no variable "w"'],
    ['x:/{v}', { v: '\ud800' }, 'well-formed'],
    ['x:/{v}', { v: '..' }, '".."'],
    ['x:/{+v}', { v: '/etc' }, 'absolute'],
    ['x:/{+v}', { v: './etc' }, '"." segment'],
    ['x:/{+v}', { v: 'a//b' }, 'empty segment'],
    ['x:/{a}.{b}', { a: '1.2', b: '3' }, 'would not read back'],
  ])('%s with %.60j is INVALID_PARAMS', (text, vars, problem) => {
    const failed = (): unknown => uriTemplate(text).expand(vars as Record<string, string>);
    expect(failed).toThrow(problem);
    expect(failed).toThrow(expect.objectContaining({ code: 'INVALID_PARAMS' }));
  });
});

it('does not make a uri that is too long', () => {
  expect(() => uriTemplate('x:/{v}').expand({ v: 'a'.repeat(66_000) })).toThrow(
    'a URI of 66003 characters is too long; at most 8192 are allowed',
  );
});

describe('the round trip: match returns what expand made', () => {
  const texts = [
    'x:/{v}',
    'x:/{+p}',
    'x:/{v}.{w}',
    'x:/{v}/{+p}-{w}/end',
    'x:/{v}{?a,b}',
    'x:/a{?a}',
    'x://{+p}{?a}',
    'x:u{/a,b}/{c}{?d}{#e}',
    'x:a{.e}/{v}{;m,n}',
    'x:{v}{;m}{/p}',
    'x:a?b={b}{&c}',
  ];
  const value = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1 }),
    fc.string({ unit: 'binary' }),
    fc.webPath(),
  );

  it.each(texts)('%s', (text) => {
    const template = uriTemplate(text);
    const vars = fc.record(
      Object.fromEntries(template.variables.map((name) => [name, fc.option(value, { nil: undefined })])),
    );
    let expanded = 0;
    fc.assert(
      fc.property(vars, (given) => {
        const present = Object.fromEntries(
          Object.entries(given).filter(([, one]) => one !== undefined),
        ) as Record<string, string>;
        let uri: string;
        try {
          uri = template.expand(present);
        } catch (error) {
          expect(RxmcpError.is(error, 'INVALID_PARAMS')).toBe(true);
          return;
        }
        expanded += 1;
        expect(template.match(uri)).toEqual(present);
      }),
      { numRuns: 500 },
    );
    expect(expanded).toBeGreaterThan(10);
  });

  it('finds a match wherever a slow search finds one', () => {
    const piece = fc.constantFrom('a', 'b', 'ab', '/', '-');
    const literal = fc.array(piece, { minLength: 1, maxLength: 3 }).map((all) => all.join(''));
    const shape = fc.record({
      literals: fc.array(literal, { minLength: 1, maxLength: 4 }),
      many: fc.integer({ min: -1, max: 3 }),
      end: fc.boolean(),
    });
    const uri = fc.array(piece, { maxLength: 14 }).map((all) => `x:${all.join('')}`);
    fc.assert(
      fc.property(shape, uri, ({ literals, many, end }, text) => {
        const names = literals.map((_, index) => `{${index === many ? '+' : ''}v${index}}`);
        const template = `x:${literals.map((one, index) => `${one}${end || index < literals.length - 1 ? names[index] : ''}`).join('')}`;
        const slow = new RegExp(`^${template.replace(/\{\+v\d\}/g, '.+').replace(/\{v\d\}/g, '[^/]+')}$`);
        const dangerouslyAllow = literals.flatMap((_, index) =>
          template.includes(`v${index}`) ? [`v${index}`] : [],
        );
        const found = uriTemplate(template, { dangerouslyAllow }).match(text);
        expect(found !== undefined).toBe(slow.test(text));
      }),
      { numRuns: rounds(5_000) },
    );
  });
});

describe('the round trip: expand makes again what match returned', () => {
  const piece = fc.constantFrom('a', '2', 'C', '%2C', '%22', ',', '-', '&', '%25', '%C3%A9');
  const uri = fc.array(piece, { minLength: 1, maxLength: 8 }).map((all) => `x:${all.join('')}`);

  it.each(['x:{a}2{b}', 'x:{+a}2{b}', 'x:{a}C', 'x:{+a}C', 'x:{+a}', 'x:{+a}&A'])('%s', (text) => {
    const template = uriTemplate(text);
    let matched = 0;
    fc.assert(
      fc.property(
        fc.oneof(
          uri,
          uri.map((one) => `${one}&A`),
        ),
        (given) => {
          const vars = template.match(given);
          if (vars === undefined) return;
          matched += 1;
          const made = template.expand(vars);
          expect(template.match(made)).toEqual(vars);
        },
      ),
      { numRuns: 1_000 },
    );
    expect(matched).toBeGreaterThan(10);
  });
});

it('a result that is not a uri is rejected, as is a value that would not match back', () => {
  const { expand } = uriTemplate('x://{host}:{port}/');
  expect(expand({ host: 'a', port: '1' })).toBe('x://a:1/');
  expect(() => expand({ host: 'a', port: 'b' })).toThrow(
    expect.objectContaining({
      code: 'INVALID_PARAMS',
      message: 'uri template "x://{host}:{port}/": "x://a:b/" is not a valid uri',
    }),
  );
});
