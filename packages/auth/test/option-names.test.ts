import { expect, it } from 'vitest';
import { oauth } from '../src/index.js';
import { loopbackRedirect, pasteRedirect } from '../src/node.js';
import { jwt, requireScopes, resourceServer } from '../src/server.js';

const functions: Readonly<Record<string, (options: object) => unknown>> = {
  oauth: (options) => oauth(options),
  loopbackRedirect: (options) => loopbackRedirect(options),
  pasteRedirect: (options) => pasteRedirect(options as never),
  resourceServer: (options) => resourceServer(options as never),
  requireScopes: (options) => requireScopes(options),
};

it.each([
  ['oauth', 'client', 'clients'],
  ['oauth', 'clientId', 'clients'],
  ['oauth', 'scope', 'scopes'],
  ['oauth', 'tokenStore', 'store'],
  ['loopbackRedirect', 'timeout', 'timeoutMs'],
  ['pasteRedirect', 'url', 'redirectUri'],
  ['resourceServer', 'issuer', 'authorizationServers'],
  ['requireScopes', 'templates', 'resources'],
])('%s: the unknown option "%s" names "%s"', (name, wrong, right) => {
  expect(() => functions[name]?.({ [wrong]: 1 })).toThrow(
    `${name}: unknown option "${wrong}", did you mean "${right}"?`,
  );
});

it('an issuer and an address of keys are named where they are not secure', () => {
  expect(() => jwt({ issuer: 'http://issuer.example' })).toThrow(/"issuer".*http:\/\/issuer\.example/);
  expect(() =>
    jwt({ issuer: 'http://issuer.example', jwksUri: 'https://issuer.example/jwks' }),
  ).not.toThrow();
  expect(() => jwt({ issuer: 'https://issuer.example', jwksUri: 'http://keys.example' })).toThrow(
    /"jwksUri".*http:\/\/keys\.example/,
  );
});

it('a resource server needs an issuer', () => {
  const options = { resource: 'https://mcp.example/mcp', verify: () => undefined };
  expect(() => resourceServer({ ...options, authorizationServers: [] })).toThrow('needs at least one issuer');
  resourceServer({ ...options, authorizationServers: ['https://issuer.example'] });
});
