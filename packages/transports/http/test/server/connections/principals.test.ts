import { describe, expect, it } from 'vitest';
import { listening, post, request } from '../calls.js';
import { rigs } from '../fixtures.js';

// Many exchanges each: where the machine is busy that takes longer than usual.

describe.each(rigs)('callers that are rejected $name', ({ serve }) => {
  const methods = ['POST', 'GET', 'DELETE', 'PUT'];
  const init = (method: string, headers: Record<string, string>): RequestInit =>
    method === 'POST' ? post(request('echo'), headers) : { ...listening(headers), method };

  it('row 27: a foreign Origin is refused on every way in, before anything runs', async () => {
    const rig = await serve();
    for (const origin of ['https://evil.com', 'null', 'http://localhost.evil.com']) {
      for (const method of methods) {
        const response = await rig.ask(init(method, { origin }));
        expect(response.status).toBe(403);
        expect(await response.json()).not.toHaveProperty('id');
        expect(response.headers.get('access-control-allow-origin')).toBeNull();
      }
    }
    expect(rig.desk.seen).toEqual([]);
    await rig.close();
  });

  it('an anonymous caller learns how to authenticate, on every way in', async () => {
    const rig = await serve({ authenticate: async () => ({ status: 401, challenge: 'Bearer realm="x"' }) });
    for (const method of methods) {
      const response = await rig.ask(init(method, {}));
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="x"']);
    }
    expect(rig.desk.seen).toEqual([]);
    await rig.close();
  });

  it('row 30: preflights', async () => {
    const origin = 'https://app.example';
    const rig = await serve({ allowedOrigins: [origin], authenticate: () => ({ status: 401 }) });
    const preflight = (from: string): Promise<Response> =>
      rig.ask({
        method: 'OPTIONS',
        headers: {
          origin: from,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'mcp-param-city',
        },
      });
    const known = await preflight(origin);
    expect(known.status).toBe(204);
    expect(known.headers.get('access-control-allow-origin')).toBe(origin);
    expect(known.headers.get('access-control-allow-headers')).toContain('mcp-param-city');
    const unknown = await preflight('https://evil.com');
    expect(unknown.status).toBe(204);
    expect([...unknown.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    const refusal = await rig.ask(init('POST', { origin }));
    expect(refusal.status).toBe(401);
    expect(refusal.headers.get('access-control-allow-origin')).toBe(origin);
    await rig.close();
    const closed = await serve();
    expect((await closed.ask({ method: 'OPTIONS', headers: { origin: 'http://localhost:1' } })).status).toBe(
      204,
    );
    await closed.close();
  });
});
