import { describe, expect, it } from 'vitest';
import { cors } from '../../src/guard.js';
import { head } from './request-head.js';

const origin = 'https://app.example';
const headersFor = cors({ allowedOrigins: [origin] });

describe('row 30: what browsers receive', () => {
  it('a known origin may call and read', () => {
    const preflight = headersFor(
      head(
        { origin, 'access-control-request-headers': 'content-type, Mcp-Param-City,mcp-param-x y, cookie' },
        'OPTIONS',
      ),
    );
    expect(preflight['access-control-allow-origin']).toBe(origin);
    expect(preflight['access-control-allow-methods']).toBe('GET, POST, DELETE, OPTIONS');
    const allowed = (preflight['access-control-allow-headers'] ?? '').split(', ');
    for (const name of ['authorization', 'content-type', 'accept', 'last-event-id', 'mcp-protocol-version']) {
      expect(allowed).toContain(name);
    }
    for (const name of ['mcp-session-id', 'mcp-method', 'mcp-name', 'mcp-param-city'])
      expect(allowed).toContain(name);
    expect(allowed).not.toContain('cookie');
    expect(allowed).not.toContain('mcp-param-x y');

    const exposed = headersFor(head({ origin }))['access-control-expose-headers'];
    expect(exposed).toContain('mcp-session-id');
    expect(exposed).toContain('www-authenticate');
  });

  it.each(['https://evil.com', 'null', 'https://app.example.evil.com', ''])(
    '"%s" receives no CORS headers',
    (unknown) => {
      for (const method of ['OPTIONS', 'POST'])
        expect(headersFor(head({ origin: unknown }, method))).toEqual({ vary: 'origin' });
    },
  );

  it('there is no wildcard and no credential mode, whatever is requested', () => {
    for (const method of ['OPTIONS', 'GET', 'POST']) {
      for (const from of [origin, 'https://evil.com']) {
        const headers = headersFor(head({ origin: from }, method));
        expect(JSON.stringify(headers)).not.toContain('*');
        expect(Object.keys(headers)).not.toContain('access-control-allow-credentials');
      }
    }
    expect(() => cors({ allowedOrigins: ['*'] })).toThrow(TypeError);
  });
});
