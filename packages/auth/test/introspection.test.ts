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
});
