import {
  type AuthorizationServer,
  type Client,
  type ClientAuth,
  customFetch,
  allowInsecureRequests,
  PrivateKeyJwt,
} from 'oauth4webapi';
import type { Discovered } from './discover.js';
import { AuthError, quote } from './errors.js';
import type { KnownClient, OAuthOptions } from './options.js';
import type { Proofs } from './proofs.js';
import { type GuardedFetch, hostKind } from './requests.js';

/** A client at one authorization server, as it is kept. */
export interface Registration extends Client {
  readonly client_secret?: string;
  /** Where it may send people; absent for clients that were not registered here. */
  readonly redirect_uris?: string[];
}

/** The clients that were registered, each at one issuer for all of its servers. */
export interface Registrations {
  registration(issuer: string): Promise<Registration | undefined>;
  /** Replaces the client at an issuer; `undefined` forgets it. */
  setRegistration(issuer: string, registration: Registration | undefined): Promise<void>;
}

/** What the requests of `oauth4webapi` need. */
export function requestOptions(http: GuardedFetch): {
  readonly [customFetch]: never;
  readonly [allowInsecureRequests]: boolean;
} {
  return {
    [customFetch]: http.send as never,
    // The guard decides, which lets only this machine be asked over plain HTTP.
    [allowInsecureRequests]: true,
  };
}

/**
 * Returns the client to use at an authorization server, in the order of the specification: one that it knows, a metadata
 * document, a registration that is kept, a new one. MCP 2025-11-25 and 2026-07-28, basic, authorization, client registration.
 */
export async function identify(
  discovered: Discovered,
  options: OAuthOptions,
  registrations: Registrations,
  redirectUri: string | undefined,
  http: GuardedFetch,
): Promise<Registration> {
  const { server } = discovered;
  const { clients = [], clientMetadataUrl } = options;
  const known = knownAt(server, clients);
  if (known !== undefined) return registrationOf(known);
  if (clientMetadataUrl !== undefined && server['client_id_metadata_document_supported'] === true)
    return { client_id: clientMetadataUrl };
  const kept = await registrations.registration(server.issuer);
  const isUsable = kept?.redirect_uris === undefined || redirectUri === undefined;
  if (kept !== undefined && (isUsable || kept.redirect_uris.includes(redirectUri))) return kept;
  if (server.registration_endpoint !== undefined && redirectUri !== undefined) {
    const registration = await register(discovered, options, redirectUri, http);
    await registrations.setRegistration(server.issuer, registration);
    return registration;
  }
  const elsewhere = clients.map(({ issuer }) => quote(issuer ?? '')).join(', ');
  throw new AuthError(
    'CLIENT_UNKNOWN',
    `${quote(server.issuer)} registers no clients` +
      (elsewhere === '' ? '' : `, and the given ones are for ${elsewhere}`) +
      ': register one there, and pass its id in "clients"',
  );
}

/** The client of the options that is known at an authorization server. */
export function knownAt(
  { issuer }: AuthorizationServer,
  clients: readonly KnownClient[],
): KnownClient | undefined {
  return (
    clients.find((client) => client.issuer === issuer) ??
    clients.find((client) => client.issuer === undefined)
  );
}

/** A client that an authorization server knows, as one that is kept. */
export function registrationOf({ id, secret }: KnownClient): Registration {
  return { client_id: id, ...(secret === undefined ? {} : { client_secret: secret }) };
}

async function register(
  { server, resource, isAssumed = false }: Discovered,
  { clientMetadata = {} }: OAuthOptions,
  redirectUri: string,
  http: GuardedFetch,
): Promise<Registration> {
  const methods = server.token_endpoint_auth_methods_supported;
  const method =
    methods === undefined
      ? 'none'
      : ['none', 'client_secret_basic', 'client_secret_post'].find((one) => methods.includes(one));
  const grants = server.grant_types_supported;
  const { protocol, hostname } = new URL(redirectUri);
  const isNative = !/^https?:$/.test(protocol) || hostKind(hostname) === 'loopback';
  const request = (applicationType: 'native' | 'web') =>
    http.send(String(server.registration_endpoint), {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify({
        client_name: 'MCP client',
        ...clientMetadata,
        // No "scope": a client that is registered with some gets no others later.
        redirect_uris: [redirectUri],
        response_types: ['code'],
        grant_types: [
          'authorization_code',
          ...(grants === undefined || grants.includes('refresh_token') ? ['refresh_token'] : []),
        ],
        application_type: applicationType,
        ...(method === undefined ? {} : { token_endpoint_auth_method: method }),
      }),
    });
  let response = await request(isNative ? 'native' : 'web');
  // Some accept no addresses of this machine for native clients, others only for them.
  if (response.status === 400) response = await request(isNative ? 'web' : 'native');
  const body: unknown = await response.json().catch(() => undefined);
  // The check of the library is stricter than many servers are: they leave out when a secret ends.
  const { client_id, client_secret, token_endpoint_auth_method, error, error_description } = Object(
    body,
  ) as Record<string, unknown>;
  if (!response.ok || typeof client_id !== 'string') {
    const why = [error, error_description].filter((one) => typeof one === 'string').join(': ');
    if (isAssumed && why === '')
      throw new AuthError(
        'DISCOVERY_FAILED',
        `${resource} has no OAuth metadata, so there is nothing to sign in to: check its address`,
      );
    throw new AuthError(
      'REGISTRATION_FAILED',
      `${quote(server.issuer)} did not register this client (${response.status}${why === '' ? '' : `, ${quote(why)}`}): register one there, and pass its id in "clients"`,
    );
  }
  return {
    client_id,
    redirect_uris: [redirectUri],
    ...(typeof client_secret === 'string' ? { client_secret } : {}),
    ...(typeof token_endpoint_auth_method === 'string' ? { token_endpoint_auth_method } : {}),
  };
}

/** How a client proves to the token endpoint which one it is. */
export function clientAuth(
  server: AuthorizationServer,
  registration: Registration,
  privateKey: CryptoKey | undefined,
  { atTheirTime }: Proofs,
): ClientAuth {
  if (privateKey !== undefined) return PrivateKeyJwt(privateKey, atTheirTime);
  const { client_secret: secret, token_endpoint_auth_method: registered } = registration;
  // RFC 8414 section 2: `client_secret_basic` is the default.
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const usesPost =
    registered === 'client_secret_post' ||
    (registered === undefined && !methods.includes('client_secret_basic'));
  return (_server, { client_id }, body, headers) => {
    if (secret !== undefined && registered !== 'none' && !usesPost) {
      // Without the encoding of hyphens and dots, which servers that do not decode take for another secret.
      const credentials = `${encodeURIComponent(client_id)}:${encodeURIComponent(secret)}`;
      headers.set('authorization', `Basic ${btoa(credentials)}`);
      return;
    }
    body.set('client_id', client_id);
    if (secret !== undefined && usesPost) body.set('client_secret', secret);
  };
}
