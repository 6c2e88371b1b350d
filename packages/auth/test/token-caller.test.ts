import type { AuthenticationResult, RequestHead } from '@rxmcp/transport/guard';
import { describe, expect, it } from 'vitest';
import { resourceServer, type TokenClaims } from '../src/server.js';

/** The result for a token that says this. */
function judged(claims: unknown, ...authorizationServers: string[]): Promise<AuthenticationResult> {
  const verify = () => claims as TokenClaims;
  const guard = resourceServer({ resource: 'https://mcp.example/mcp', authorizationServers, verify });
  return Promise.resolve(guard.authenticate(headOf('any')));
}

function headOf(token: string): RequestHead {
  const headerValues = (name: string): string[] => (name === 'authorization' ? [`Bearer ${token}`] : []);
  return { method: 'POST', target: '/mcp', secure: true, headerValues };
}

describe('the caller of a token', () => {
  const [one, two] = ['https://one.example', 'https://two.example'] as const;

  it.each([
    [{ sub: 'ada' }, 'ada'],
    [{ client_id: 'report' }, 'client:report'],
    [{ sub: 'ada', client_id: 'report' }, 'ada'],
    [{ sub: 'client:report' }, 'sub:client:report'],
    [{ sub: 'sub:client:report' }, 'sub:sub:client:report'],
  ])('of %j is the principal %s', async (claims, principal) => {
    expect(await judged(claims, one)).toMatchObject({ principal });
    expect(await judged({ ...claims, iss: two }, one, two)).toMatchObject({
      principal: `${two} ${principal}`,
    });
  });

  it.each([
    {},
    { sub: 7 },
    { sub: null, client_id: 'report' },
    { sub: ['ada'] },
    { client_id: 7 },
    { sub: '' },
    { sub: 'ada', exp: 'never' },
  ])('of %j is invalid', async (claims) => expect(await judged(claims, one)).toMatchObject({ status: 401 }));

  it.each([undefined, 'https://three.example', '', 7, [one]])(
    'with several authorization servers and the issuer %j is invalid',
    async (iss) => expect(await judged({ sub: 'ada', iss }, one, two)).toMatchObject({ status: 401 }),
  );

  it('has the scopes that its scopes include, also those of included ones and of a circle', async () => {
    const guard = resourceServer({
      resource: 'https://mcp.example/mcp',
      authorizationServers: [one],
      verify: () => ({ sub: 'ada', scope: 'admin constructor' }),
      impliedScopes: { admin: ['write'], write: ['read', 'admin'], other: ['none'] },
    });
    const caller = { scopes: ['admin', 'constructor', 'write', 'read'] };
    expect(await guard.authenticate(headOf('any'))).toMatchObject(caller);
  });
});
