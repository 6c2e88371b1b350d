import { describe, expect, it } from 'vitest';
import { prefixSpellings, spellings } from '../../src/interceptors/uri-spellings.js';

describe('the spellings of a uri', () => {
  it.each([
    'file:///secret/key',
    'FILE:///%73ecret/key',
    'file:///./secret/key',
    'file:///.%2Fsecret/key',
    'file:///%2e/secret/key',
    'file:///secret%2Fkey',
    'file:///secret%2fkey',
    'file:///././secret//key',
    'file:////secret/key',
    'file:///open/../secret/key',
    'file:///open/%2E%2e/secret/key',
    'file:///secret/key/.',
  ])('match the same resource: %s', (uri) => {
    expect(spellings(uri)).toContain('file:///secret/key');
  });

  it.each([
    ['x://./secret/key', 'x://secret/key'],
    ['x://secret%2Fkey', 'x://secret/key'],
    ['mem:./a//b', 'mem:a/b'],
    ['x://host/a%2F?q=./b//c', 'x://host/a/?q=./b//c'],
  ])('%s is %s too', (uri, meant) => {
    expect(spellings(uri)).toContain(meant);
  });

  it.each([
    'https://EXAMPLE.com/private/x',
    'HTTPS://example.com:443/private/x',
    'https://example.com./private/x',
    'https://ada:secret@example.com/private/x',
    'https:example.com/private/x',
    'https:\\\\example.com\\private\\x',
    'https://ex\tample.com/%70rivate%2Fx',
    'https://ex%41mple.com/open/%2e%2e/private//x',
    'https://example.com/private/x#part',
  ])('match what fetch would request: %s', (uri) => {
    expect(spellings(uri)).toContain('https://example.com/private/x');
    expect(spellings(uri).at(-1)).toBe('https://example.com/private/x');
  });

  it.each([
    'file://localhost/private/x',
    'FILE://LOCALHOST/private/x',
    'file:/private/x',
    'file:///private/x?y',
  ])('match the file that would be opened: %s', (uri) => {
    expect(spellings(uri)).toContain('file:///private/x');
  });

  it.each([
    ['https://EXAMPLE.com:443/private/', 'https://example.com/private/'],
    ['https://EXAMPLE.com:443', 'https://example.com'],
    ['https://EXAM', 'https://exam'],
    ['file://localhost/pri', 'file:///pri'],
    ['FILE://', 'file://'],
  ])('of the prefix %s have %s', (prefix, meant) => {
    expect(prefixSpellings(prefix)).toContain(prefix);
    expect(prefixSpellings(prefix)).toContain(meant);
  });

  it.each([
    'https://example.com/a?b=',
    'file:///private/',
    'https://',
    'x://Host/a',
    'https://a/b#c',
    '',
    'z',
  ])('of a plain prefix are that prefix only: %s', (prefix) =>
    expect(prefixSpellings(prefix)).toEqual([prefix]),
  );

  it.each([
    'https://example.com/a?b=c',
    'x://Host:443/a',
    'file:///a/b',
    'file:///a/b/',
    'x://a',
    'x://a/',
    'x:///',
    'urn:a:b',
    'no uri',
    'x://p?u=http://y/./z',
    '',
  ])('of a plain uri are that uri only: %s', (uri) => expect(spellings(uri)).toEqual([uri]));
});
