import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sendAuthorized } from '@rxmcp/transport/internal';
import { onTestFinished } from 'vitest';
import {
  type AuthorizationServer,
  type AuthorizationServerOptions,
  startAuthorizationServer,
} from '../../../vitest.oidc.js';
import type { Auth } from '../src/index.js';

/** What a resource answers to a request with a token: a status, and its challenge. */
export type Verdict = (token: string) => Promise<readonly [number, string?]> | readonly [number, string?];

/** A resource whose test decides which tokens are good. */
export interface ProtectedResource {
  readonly url: string;
  /** The tokens that came, in order. */
  readonly tokens: string[];
  /** The authorization server that its metadata names. */
  issuer: string;
  /** The challenge to a request without a token. */
  challenge: string;
  /** Decides; a request without a token is always 401. */
  verdict: Verdict;
}

/** Starts a resource that accepts every token until a test decides otherwise. */
export async function protectedResource(issuer: string): Promise<ProtectedResource> {
  const server = createServer((request, response) => {
    const { authorization } = request.headers;
    request.resume();
    if (request.url !== '/mcp') {
      const { url, issuer: named } = resource;
      const metadata = { resource: url, authorization_servers: [named], scopes_supported: ['mcp:tools'] };
      response.end(JSON.stringify(metadata));
      return;
    }
    const token = authorization?.replace('Bearer ', '');
    if (token !== undefined) resource.tokens.push(token);
    void Promise.resolve(
      token === undefined ? ([401, resource.challenge] as const) : resource.verdict(token),
    ).then(([status, challenge = '']) =>
      response.writeHead(status, { 'www-authenticate': `Bearer ${challenge}` }).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/mcp`;
  const resource: ProtectedResource = { url, tokens: [], issuer, challenge: '', verdict: () => [200] };
  return resource;
}

/** Starts the authorization server of the tests. */
export async function authorizationServer(
  options?: AuthorizationServerOptions,
): Promise<AuthorizationServer> {
  const server = await startAuthorizationServer(options);
  onTestFinished(() => server.close());
  return server;
}

/** Sends a request as the transports do. Resolves with the last status. */
export async function ask(auth: Auth, url: string, send: typeof fetch = fetch): Promise<number> {
  const { status } = await sendAuthorized(
    auth,
    { method: 'POST', url },
    (headers) => send(url, { method: 'POST', headers }),
    (response) => void response.body?.cancel(),
  );
  return status;
}

/** Listens at an address until the test ends, which a resource server has in its metadata. */
export async function listening(listener: (url: string) => RequestListener): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/mcp`;
  server.on('request', listener(url));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return url;
}
