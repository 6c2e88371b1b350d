import { describe, expect, it } from 'vitest';
import { guard } from '../../src/guard.js';
import { head } from './request-head.js';

const local = 'localhost:8080';

function status(headers: Record<string, string | string[]>, options = {}): number {
  const decision = guard(options)(head(headers));
  if ('then' in decision) throw new Error('the names are looked at without waiting');
  return 'status' in decision ? decision.status : 200;
}

describe('row 28: the Host header', () => {
  it.each([
    'localhost',
    'localhost:1',
    'localhost:65535',
    '127.0.0.1',
    '127.0.0.1:8080',
    '[::1]',
    '[::1]:8080',
  ])('%s passes', (host) => expect(status({ host })).toBe(200));

  it.each([
    'evil.com',
    '127.0.0.1.evil.com',
    'localhost.evil.com:8080',
    'evil.com:80@localhost',
    'localhost.',
    'localhost.:8080',
    'LOCALHOST',
    'Localhost:8080',
    '[::ffff:127.0.0.1]',
    '[0:0:0:0:0:0:0:1]',
    '::1',
    '[::1',
    '0.0.0.0',
    '0.0.0.0:8080',
    '127.1',
    '2130706433',
    'localhost:',
    'localhost:123456',
    'localhost:8080:8080',
    'localhost, evil.com',
    ' localhost',
  ])('%s is refused', (host) => expect(status({ host })).toBe(403));

  it('missing, empty or twice is not a request at all', () => {
    expect(status({})).toBe(400);
    expect(status({ host: '' })).toBe(400);
    expect(status({ host: [local, local] })).toBe(400);
    expect(status({ host: [local, 'evil.com'] })).toBe(400);
  });

  it('own names replace the loopback ones, with a port where one is given', () => {
    const hosts = ['MCP.example', 'other.example:8443'];
    expect(status({ host: 'mcp.example' }, { allowedHosts: hosts })).toBe(200);
    expect(status({ host: 'mcp.example:9000' }, { allowedHosts: hosts })).toBe(200);
    expect(status({ host: 'other.example:8443' }, { allowedHosts: hosts })).toBe(200);
    expect(status({ host: 'other.example' }, { allowedHosts: hosts })).toBe(403);
    expect(status({ host: 'other.example:1' }, { allowedHosts: hosts })).toBe(403);
    expect(status({ host: local }, { allowedHosts: hosts })).toBe(403);
  });

  it.each(['', '*', 'http://mcp.example', 'mcp.example/mcp', 'a b', '::1'])(
    '"%s" is not a valid entry',
    (entry) => {
      expect(() => guard({ allowedHosts: [entry] })).toThrow(TypeError);
    },
  );
});

describe('row 27: the Origin header', () => {
  it.each([
    'http://localhost',
    'http://localhost:5173',
    'https://localhost:5173',
    'http://127.0.0.1:5173',
    'http://[::1]:5173',
  ])('%s passes', (origin) => expect(status({ host: local, origin })).toBe(200));

  it('none at all passes: the caller is not a browser', () => expect(status({ host: local })).toBe(200));

  it.each([
    'https://evil.com',
    'null',
    '',
    'http://localhost.evil.com',
    'http://evil.com:80@localhost',
    'http://localhost:80:80',
    'http://localhost/',
    'ftp://localhost',
    'file://',
    'localhost',
  ])('"%s" is refused', (origin) => expect(status({ host: local, origin })).toBe(403));

  it('twice is refused', () => {
    expect(status({ host: local, origin: ['http://localhost', 'http://localhost'] })).toBe(403);
  });

  it('own origins replace the loopback ones and are compared with their port', () => {
    const origins = ['https://app.example', 'http://localhost:5173', 'vscode-webview://abc'];
    for (const origin of origins)
      expect(status({ host: local, origin }, { allowedOrigins: origins })).toBe(200);
    for (const origin of [
      'https://app.example:444',
      'http://app.example',
      'http://localhost:5174',
      'http://localhost',
      'https://app.example.evil.com',
      'null',
    ]) {
      expect(status({ host: local, origin }, { allowedOrigins: origins })).toBe(403);
    }
  });

  it.each(['*', 'null', 'app.example', 'https://app.example/', 'https://APP.example'])(
    '"%s" is not a valid entry',
    (entry) => {
      expect(() => guard({ allowedOrigins: [entry] })).toThrow(TypeError);
    },
  );
});

it('a preflight is asked for its Host only', () => {
  const asks = guard({ authenticate: () => ({ status: 401 }) });
  expect(asks(head({ host: local, origin: 'https://evil.com' }, 'OPTIONS'))).toEqual({
    principal: undefined,
  });
  expect(asks(head({ host: 'evil.com' }, 'OPTIONS'))).toMatchObject({ status: 403 });
});
