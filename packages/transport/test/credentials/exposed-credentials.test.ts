import { describe, expect, it } from 'vitest';
import { findExposedCredential } from '../../src/internal.js';

describe('a header that holds a credential', () => {
  it.each([
    'authorization',
    'Authorization',
    'proxy-authorization',
    'Cookie',
    'x-api-key',
    'API-Key',
    'X-Auth-Token',
  ])('finds %s where others can read it', (name) => {
    for (const url of [
      'http://example.com/',
      'ws://10.0.0.1/',
      'http://localhost.example.com/',
      'http://127.0.0.1.nip.io/',
    ])
      expect(findExposedCredential(new URL(url), ['accept', name, 'cookie'])).toBe(name);
  });

  it.each([
    'https://example.com/',
    'wss://example.com/',
    'http://localhost/',
    'ws://app.localhost/',
    'http://127.8.9.1/',
    'ws://[::1]/',
  ])('may be sent to %s', (url) => {
    expect(findExposedCredential(new URL(url), ['authorization', 'cookie'])).toBeUndefined();
  });

  it('ignores other names', () => {
    const names = ['accept', 'x-team', 'x-api-key-id', 'constructor', '__proto__'];
    expect(findExposedCredential(new URL('http://example.com/'), names)).toBeUndefined();
  });
});
