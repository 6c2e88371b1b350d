import { describe, expect, it } from 'vitest';
import { spellings } from '../../src/interceptors/uri-spellings.js';

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
