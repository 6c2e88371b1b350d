import { webcrypto } from 'node:crypto';
import { type Auth, type Grant, type KnownClient, oauth, type Redirect } from '@rxmcp/auth';

/** The address of the metadata document that the suite knows. */
const clientMetadataUrl = 'https://conformance-test.local/client-metadata.json';

/** Stands in for a person with a browser: the suite's authorization servers send them back at once. */
const redirect: Redirect = {
  start: () => ({
    redirectUri: 'http://localhost:3000/callback',
    async open(url) {
      const response = await fetch(url, { redirect: 'manual' });
      return new URL(response.headers.get('location') ?? '', url);
    },
  }),
};

/** Creates what signs in, with what the scenario says of the client. */
export async function signInOf(scenario: string, context: Readonly<Record<string, unknown>>): Promise<Auth> {
  const text = (name: string): string => {
    const value = context[name];
    if (typeof value === 'string') return value;
    throw new TypeError(`the suite gives no "${name}"`);
  };
  const clients: KnownClient[] = [];
  if (typeof context['client_id'] === 'string') {
    const { client_secret: secret, private_key_pem: pem } = context;
    clients.push({
      id: context['client_id'],
      ...(typeof secret === 'string' ? { secret } : {}),
      ...(typeof pem === 'string' ? { privateKey: await keyOf(pem) } : {}),
    });
  }
  const grant = grantOf(scenario, text);
  return oauth({
    redirect,
    clients,
    clientMetadataUrl,
    dpop: scenario.startsWith('auth/dpop'),
    ...(grant === undefined ? {} : { grant }),
  });
}

function grantOf(scenario: string, text: (name: string) => string): Grant | undefined {
  if (scenario.startsWith('auth/client-credentials')) return { type: 'client-credentials' };
  if (scenario.startsWith('auth/wif'))
    return { type: 'workload-identity', assertion: () => text('valid_jwt') };
  if (!scenario.startsWith('auth/enterprise-managed')) return undefined;
  return {
    type: 'enterprise-managed',
    tokenEndpoint: text('idp_token_endpoint'),
    client: { id: text('idp_client_id') },
    idToken: () => text('idp_id_token'),
  };
}

function keyOf(pem: string): Promise<CryptoKey> {
  const der = Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64');
  return webcrypto.subtle.importKey('pkcs8', der, { name: 'ECDSA', namedCurve: 'P-256' }, false, [
    'sign',
  ]) as Promise<CryptoKey>;
}
