import { fromBase64, isBase64, isMediaType, toBase64 } from '@rxmcp/core/internal';
import fc from 'fast-check';
import { NEVER, of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { offerResources, readBytes, readText, resource, template } from '../src/index.js';

describe('a resource', () => {
  it.each([
    ['file:///a/b%20c.txt', 'b c.txt'],
    ['file:///d/', 'd'],
    ['logs://recent?x=1', 'recent'],
    ['urn:isbn:1', '1'],
    ['file:///', 'file:///'],
    ['file:///a%0Ab', 'file:///a%0Ab'],
    ['file:///%FF', 'file:///%FF'],
    ['file:///日志', '日志'],
  ])('%s is named after itself', (uri, name) => {
    expect(resource(uri, {}, '').info.name).toBe(name);
  });

  it.each<[string, () => unknown, string]>([
    ['a uri without scheme', () => resource('a.txt', {}, ''), 'needs a scheme'],
    ['a scheme that is not ASCII', () => resource('文件://a', {}, ''), '"文件"'],
    ['a uri with a space', () => resource('file:///a b', {}, ''), 'percent-encoded'],
    ['an unreadable name', () => resource('x:a', { name: 'a\u202eb' }, ''), 'name'],
    ['an empty name', () => resource('x:a', { name: '' }, ''), 'name'],
    ['a bad media type', () => resource('x:a', { mimeType: 'text' }, ''), '"text" is not a media type'],
    ['half a byte', () => resource('x:a', { size: 0.5 }, ''), '"size"'],
    ['less than no bytes', () => resource('x:a', { size: -1 }, ''), '"size"'],
    ['no patience', () => resource('x:a', { readTimeoutMs: 0 }, NEVER), '"readTimeoutMs"'],
    ['endless patience', () => resource('x:a', { readTimeoutMs: Infinity }, NEVER), '"readTimeoutMs"'],
    ['changes that cannot be followed', () => resource('x:a', { changes: {} as never }, ''), '"changes"'],
    ['no value', () => resource('x:a', {}, undefined as never), 'needs a value'],
    ['a number', () => resource('x:a', {}, 5 as never), 'must be text, bytes'],
    ['neither text nor blob', () => resource('x:a', {}, {} as never), 'one of "text" and "blob"'],
    [
      'both text and blob',
      () => resource('x:a', {}, { text: '', blob: '' } as never),
      'one of "text" and "blob"',
    ],
    ['a blob that is no base64', () => resource('x:a', {}, { blob: 'a' }), 'base64'],
    ['contents without a uri', () => resource('x:a', {}, [{ text: '' } as never]), 'needs a "uri"'],
    ['contents of a bad uri', () => resource('x:a', {}, [{ text: '', uri: 'no uri' }]), 'no uri'],
    ['an iterable', () => resource('x:a', {}, (async function* () {})() as never), 'read only once'],
    ['a template without variables', () => template('x:a', {}, () => ''), 'use resource()'],
    ['a template without a function', () => template('x:{a}', {}, '' as never), 'needs a function'],
    [
      'a listed resource of elsewhere',
      () => template('x:{a}', { list: [{ uri: 'y:1' }] }, () => ''),
      'does not match',
    ],
    [
      'a listed resource of a bad type',
      () => template('x:{a}', { list: [{ uri: 'x:1', mimeType: '/' }] }, () => ''),
      'media type',
    ],
    ['a template of a bad type', () => template('x:{a}', { mimeType: 'a/b;' }, () => ''), 'media type'],
  ])('with %s is refused', (_, make, problem) => {
    expect(make).toThrow(TypeError);
    expect(make).toThrow(problem);
  });

  it('subscribes to nothing and runs nothing when it is made', () => {
    let begun = 0;
    const source = { subscribe: () => ({ unsubscribe: () => void (begun += 1) }) };
    resource('x:a', { changes: source }, source);
    resource('x:b', {}, () => `${(begun += 1)}`);
    expect(begun).toBe(0);
  });

  it('accepts all values of its types', () => {
    resource('x:a', {}, of('text', new Uint8Array(), null));
    resource('x:b', {}, async (_vars, ctx) => (ctx.signal.aborted ? null : { text: '' }));
    template('x:{a}/{+b}{?c}', {}, ({ a, b, c }) => `${a.length}${b.length}${c?.length ?? 0}`);
    // @ts-expect-error a number is not a value
    expect(() => resource('x:a', {}, 5)).toThrow();
  });
});

describe('media types', () => {
  it.each([
    'text/plain',
    'inode/directory',
    'application/vnd.api+json',
    'text/plain; charset=utf-8',
    'a/b;c="d e";f=g',
  ])('%s is one', (type) => expect(isMediaType(type)).toBe(true));
  it.each([
    '',
    'text',
    'text/',
    '/plain',
    'a/b/c',
    'text/plain;',
    'text/plain; charset',
    'text /plain',
    'a/b\n',
    'a/b;c="\n"',
    5,
  ])('%j is invalid', (type) => expect(isMediaType(type)).toBe(false));
});

describe('base64', () => {
  it('returns what it was given', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 20_000 }), (bytes) => {
        const text = toBase64(bytes);
        expect(text).toBe(Buffer.from(bytes).toString('base64'));
        expect(fromBase64(text)).toEqual(bytes);
      }),
    );
  });

  it.each(['a', 'ab', 'abc', 'ab=c', '=abc', 'a===', 'ab-_', 'ab c', 'abc\n', 'äbcd', '===='])(
    '%j is invalid',
    (text) => {
      expect(isBase64(text)).toBe(false);
      expect(fromBase64(text)).toBeUndefined();
    },
  );

  it('is checked in one pass, also when it is long', () => {
    const long = 'abcd'.repeat(4_000_000);
    expect(isBase64(long)).toBe(true);
    expect(isBase64(`${long.slice(0, -1)}!`)).toBe(false);
  });
});

describe('the contents of a read', () => {
  it('comes as bytes or as text', () => {
    expect(readBytes({ uri: 'x:a', text: 'é' })).toEqual(new Uint8Array([0xc3, 0xa9]));
    expect(readBytes({ uri: 'x:a', blob: 'AP8=' })).toEqual(new Uint8Array([0, 255]));
    expect(readText({ uri: 'x:a', blob: 'w6k=' })).toBe('é');
    expect(readText({ uri: 'x:a', text: 'é' })).toBe('é');
    for (const read of [readBytes, readText]) {
      expect(() => read({ uri: 'x:a', blob: 'a' })).toThrow(
        expect.objectContaining({ code: 'INVALID_RESULT' }),
      );
    }
    expect(() => readText({ uri: 'x:a', blob: '/w==' })).toThrow(
      expect.objectContaining({ code: 'INVALID_RESULT' }),
    );
  });
});

it('an option of an offer that does not exist is named', () => {
  expect(() => offerResources([], { pagesize: 1 } as never)).toThrow(
    'offerResources: unknown option "pagesize", did you mean "pageSize"?',
  );
});
