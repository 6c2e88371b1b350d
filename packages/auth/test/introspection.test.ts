import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { introspection } from '../src/server.js';
import { listening } from './protected-resource.js';

describe('an introspected token', () => {
  it.each([
    [{}, true],
    [{ token_use: 'access_token', token_type: 'Bearer', typ: 'Bearer' }, true],
    [{ token_use: 'refresh_token' }, false],
    [{ typ: 'Refresh' }, false],
    [{ typ: 'Offline' }, false],
    [{ token_type: 'refresh_token' }, false],
  ])('with %j is an access token: %s', async (kind, isAccepted) => {
    const resource = 'https://mcp.example/mcp';
    const endpoint = await listening(() => (request, response) => {
      request.resume();
      response.end(JSON.stringify({ active: true, aud: resource, sub: 'ada', ...kind }));
    });
    const verify = introspection({ endpoint, clientId: 'a', clientSecret: 'b' });
    expect((await verify('token', resource)) !== undefined).toBe(isAccepted);
  });

  it('is asked about with the credentials of this server', async () => {
    const seen: unknown[] = [];
    const endpoint = await listening(() => async (request, response) => {
      seen.push(request.method, request.headers.authorization, await text(request));
      response.end('{}');
    });
    const verify = introspection({ endpoint, clientId: 'a:b', clientSecret: 'c d' });
    expect(await verify('token', 'https://mcp.example/mcp')).toBeUndefined();
    expect(seen).toEqual([
      'POST',
      `Basic ${btoa('a%3Ab:c%20d')}`,
      'token=token&token_type_hint=access_token',
    ]);
  });

  it.each<[string, object, string | undefined, boolean]>([
    ['that is not active', { active: false }, undefined, false],
    ['that may be active', { active: 'true' }, undefined, false],
    ['for several resources', { aud: ['https://a.example', 'https://mcp.example/mcp'] }, undefined, true],
    ['for others', { aud: ['https://a.example'] }, undefined, false],
    ['for no one', { aud: undefined }, undefined, false],
    ['for the audience of the options', { aud: 'api' }, 'api', true],
    ['for the resource, where the options name another audience', {}, 'api', false],
  ])('%s', async (_, more, audience, isAccepted) => {
    const resource = 'https://mcp.example/mcp';
    const endpoint = await listening(() => (request, response) => {
      request.resume();
      response.end(JSON.stringify({ active: true, aud: resource, sub: 'ada', ...more }));
    });
    const verify = introspection({
      endpoint,
      clientId: 'a',
      clientSecret: 'b',
      ...(audience === undefined ? {} : { audience }),
    });
    expect((await verify('token', resource)) !== undefined).toBe(isAccepted);
  });

  it.each([
    ['a status', 500, '{}', /failed: status 500/],
    ['a redirect', 302, '', /./],
    ['too much', 200, `{"x":"${'x'.repeat(2 ** 18)}"}`, /more than 262144 bytes/],
    ['a list', 200, '[]', /not a JSON object/],
    ['no JSON', 200, '<p>', /JSON/],
  ])('cannot be judged where the endpoint answers with %s', async (_, status, body, why) => {
    const endpoint = await listening(() => (request, response) => {
      request.resume();
      response.writeHead(status, status === 302 ? { location: endpoint } : {}).end(body);
    });
    const verify = introspection({ endpoint, clientId: 'a', clientSecret: 'b' });
    await expect(Promise.resolve(verify('token', 'https://mcp.example/mcp'))).rejects.toThrow(why);
  });
});
