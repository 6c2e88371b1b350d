import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalUri } from '../src/uri/uri.js';

describe('the normal form of a uri', () => {
  it.each([
    ['file:///a/b.txt', 'file:///a/b.txt'],
    ['FILE:///A', 'file:///A'],
    ['file:///日志/a', 'file:///%E6%97%A5%E5%BF%97/a'],
    ['file:///%e6%97%a5', 'file:///%E6%97%A5'],
    ['file:///%41%7Eb%2f', 'file:///A~b%2F'],
    ['file:///%2541', 'file:///%2541'],
    ['urn:isbn:1', 'urn:isbn:1'],
    ['http://[::1]:80/x', 'http://[::1]:80/x'],
    ['screen://localhost/display1', 'screen://localhost/display1'],
    ['postgres://db/customers/schema', 'postgres://db/customers/schema'],
    ['file:///a/../b', 'file:///a/../b'],
    ['git://example.com:9418/app.git?ref=main', 'git://example.com:9418/app.git?ref=main'],
    ['ssh://git@example.com/app.git', 'ssh://git@example.com/app.git'],
    ['mailto:ada@example.com', 'mailto:ada@example.com'],
    ['x://a:b:c@host:/', 'x://a:b:c@host:/'],
    ['x://[fe80::1]', 'x://[fe80::1]'],
    ['x://', 'x://'],
  ])('%s becomes %s', (given, normal) => {
    expect(normalUri(given)).toBe(normal);
    expect(normalUri(normal)).toBe(normal);
  });

  it.each([
    ['文件:///a', 'the scheme "文件"'],
    ['1a:b', 'the scheme "1a"'],
    ['no-scheme', 'needs a scheme'],
    ['', 'needs a scheme'],
    ['/a:b', 'needs a scheme'],
    ['file:///a b', '" " must be percent-encoded'],
    ['file:///a\\b', 'must be percent-encoded'],
    ['file:///%4', '"%" must be percent-encoded'],
    ['file:///%zz', '"%" must be percent-encoded'],
    ['file:///{path}', '"{" must be percent-encoded'],
    ['file:///a\n', 'must be percent-encoded'],
    ['file:///\ud800', 'must be percent-encoded'],
    ['file:///a[0]', '"[" and "]"'],
    ['file:///a#b#c', 'two "#"'],
    ['git://example.com:ada/app.git', '"example.com:ada" is not a host'],
    ['x://a@b@c/', '"a@b@c" is not a host'],
    ['x://[::1', '"[::1" is not a host'],
    ['x://::1]/', '"::1]" is not a host'],
    ['x://a[::1]/', 'is not a host'],
    ['x://[]/', 'is not a host'],
    ['x://[::1]a/', 'is not a host'],
    ['x://h/[a]', '"[" and "]"'],
  ])('%.40j is refused', (given, problem) => {
    expect(() => normalUri(given)).toThrow(TypeError);
    expect(() => normalUri(given)).toThrow(problem);
  });

  it('ends at 8,192 characters', () => {
    expect(normalUri(`x:${'a'.repeat(8_190)}`)).toHaveLength(8_192);
    expect(() => normalUri(`x:${'a'.repeat(8_191)}`)).toThrow('too long');
  });

  it('is the same for a uri and its normal form, whatever is asked', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl({ withQueryParameters: true, withFragments: true }),
          fc.string({ unit: 'binary' }),
        ),
        (text) => {
          let normal: string;
          try {
            normal = normalUri(text);
          } catch (error) {
            expect(error).toBeInstanceOf(TypeError);
            return;
          }
          expect(normalUri(normal)).toBe(normal);
          expect(normal).toMatch(/^[\x21-\x7e]+$/);
        },
      ),
    );
  });
});
