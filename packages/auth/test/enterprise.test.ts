import { describe, expect, it } from 'vitest';
import { type Grant, oauth } from '../src/index.js';

const server = 'https://mcp.example.com/mcp';
const issuer = 'https://login.example.com';

/** Signs in with an assertion of an identity provider. Resolves with the forms of the requests for tokens, by their address. */
async function signedIn(
  tokenEndpoint: string,
  {
    own = issuer,
    response = { access_token: 'id-jag', token_type: 'N_A' },
  }: { own?: string; response?: object } = {},
): Promise<ReadonlyMap<string, Record<string, string>>> {
  const forms = new Map<string, Record<string, string>>();
  const pages: Record<string, object> = {
    'https://mcp.example.com/.well-known/oauth-protected-resource/mcp': {
      resource: server,
      authorization_servers: [own],
    },
    [`${own}/.well-known/oauth-authorization-server`]: { issuer: own, token_endpoint: `${own}/token` },
    [tokenEndpoint]: response,
    [`${own}/token`]: { access_token: 'token', token_type: 'Bearer' },
  };
  const grant: Grant = {
    type: 'enterprise-managed',
    tokenEndpoint,
    client: { id: 'desk', secret: 'at the provider' },
    idToken: () => 'an ID token',
  };
  const auth = oauth({
    grant,
    clients: [{ id: 'desk', secret: 'at the server', issuer: own }],
    scopes: ['read'],
    fetch(url, { body }) {
      if (body instanceof URLSearchParams) forms.set(url, Object.fromEntries(body));
      const page = pages[url];
      return Promise.resolve(page === undefined ? new Response('', { status: 404 }) : Response.json(page));
    },
  });
  await auth.signIn(server);
  return forms;
}

describe('enterprise-managed authorization', () => {
  // The program names it, which may be in the network of the enterprise.
  it.each(['https://idp.example.com/token', 'https://idp.corp/token', 'https://10.0.0.1/token'])(
    'exchanges the ID token at %s, and its assertion at the authorization server',
    async (tokenEndpoint) => {
      const forms = await signedIn(tokenEndpoint);
      expect(forms.get(tokenEndpoint)).toEqual({
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        requested_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
        subject_token: 'an ID token',
        subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
        audience: issuer,
        resource: server,
        scope: 'read',
      });
      expect(forms.get(`${issuer}/token`)).toEqual({
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        assertion: 'id-jag',
        resource: server,
        scope: 'read',
      });
    },
  );

  it('sends nothing to a provider without https, nor to an authorization server of a private network', async () => {
    await expect(signedIn('http://idp.example.com/token')).rejects.toMatchObject({
      code: 'TOKEN_FAILED',
      message: expect.stringContaining('use https:') as string,
    });
    await expect(signedIn('https://idp.corp/token', { own: 'https://login.corp' })).rejects.toMatchObject({
      code: 'INSECURE_URL',
    });
  });

  it.each([{ access_token: 'x', token_type: 'mac' }, { token_type: 'N_A' }, {}])(
    'fails where the provider answers with %j',
    async (response) => {
      await expect(signedIn('https://idp.example.com/token', { response })).rejects.toMatchObject({
        code: 'TOKEN_FAILED',
        message: expect.stringContaining(
          '"https://idp.example.com" did not exchange the identity token',
        ) as string,
      });
    },
  );
});
