import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { oauth } from '@rxmcp/auth';
import { loopbackRedirect } from '@rxmcp/auth/node';
import { jwt, resourceServer, type ResourceServer } from '@rxmcp/auth/server';
import { defineServer } from 'rxmcp';
import { offerTools, text, tool } from 'rxmcp/tools';
import { onTestFinished } from 'vitest';
import {
  type AuthorizationServer,
  type AuthorizationServerOptions,
  browse,
  startAuthorizationServer,
} from '../../../../vitest.oidc.js';

const whoami = tool('whoami', {}, (_args, { caller }) =>
  text(`${String(caller.principal)} ${String(caller.scopes?.join(' '))}`),
);
export const server = defineServer({
  info: { name: 'hall', version: '1.0.0' },
  offers: [offerTools([whoami])],
});

/** An authorization server until the test ends. */
export async function authorizationServer(
  options?: AuthorizationServerOptions,
): Promise<AuthorizationServer> {
  const started = await startAuthorizationServer(options);
  onTestFinished(() => started.close());
  return started;
}

/** Protects what is at `resource` with the tokens of `issuer`. */
export function guarded(resource: string, issuer: string): ResourceServer {
  const verify = jwt({ issuer });
  return resourceServer({ resource, authorizationServers: [issuer], verify, scopes: ['mcp:tools'] });
}

/** A client that signs ada in, without asking her. */
export function signIn(): ReturnType<typeof oauth> {
  return oauth({ redirect: loopbackRedirect({ open: (page) => void browse(page) }) });
}

/** Listens first, since a resource server has its own address in its metadata. */
export async function listening(listener: (origin: string) => RequestListener): Promise<string> {
  const http = createServer();
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${String((http.address() as AddressInfo).port)}`;
  http.on('request', listener(origin));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  return origin;
}
