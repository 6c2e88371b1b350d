import { expect, it } from 'vitest';
import { browse } from '../../../vitest.oidc.js';
import { oauth, type OAuthOptions } from '../src/index.js';
import { loopbackRedirect } from '../src/node.js';
import { ask, authorizationServer, protectedResource } from './protected-resource.js';

it('a client registers as the other type of application where the first is rejected', async () => {
  const { issuer } = await authorizationServer();
  const { url } = await protectedResource(issuer);
  const types: unknown[] = [];
  const auth = oauth({
    redirect: loopbackRedirect({ open: (page) => void browse(page) }),
    fetch(target, init) {
      if (target !== `${issuer}/reg`) return fetch(target, init);
      const metadata = JSON.parse(init.body as string) as Record<string, unknown>;
      types.push(metadata['application_type']);
      if (types.length === 1)
        return Promise.resolve(Response.json({ error: 'invalid_client_metadata' }, { status: 400 }));
      return fetch(target, { ...init, body: JSON.stringify({ ...metadata, application_type: 'native' }) });
    },
  });
  expect(await ask(auth, url)).toBe(200);
  expect(types).toEqual(['native', 'web']);
});

const document = 'https://client.example/metadata';

it.each<[string, (issuer: string) => OAuthOptions, boolean, string | undefined]>([
  [
    'known there',
    (issuer) => ({ clients: [{ id: 'a' }, { id: 'b', issuer }], clientMetadataUrl: document }),
    true,
    'b',
  ],
  ['known anywhere', () => ({ clients: [{ id: 'a' }], clientMetadataUrl: document }), true, 'a'],
  [
    'known elsewhere',
    () => ({ clients: [{ id: 'a', issuer: 'https://x.example' }], clientMetadataUrl: document }),
    true,
    document,
  ],
  ['with a document', () => ({ clientMetadataUrl: document }), true, document],
  ['with a document that is not supported', () => ({ clientMetadataUrl: document }), false, undefined],
])('a client is the one that is %s', async (_name, options, isSupported, id) => {
  const { issuer, asked } = await authorizationServer();
  const { url } = await protectedResource(issuer);
  let used: string | null = null;
  const auth = oauth({
    ...options(issuer),
    redirect: loopbackRedirect({
      open(page) {
        used = page.searchParams.get('client_id');
        throw new Error('enough');
      },
    }),
    async fetch(target, init) {
      const response = await fetch(target, init);
      if (!target.endsWith('/.well-known/oauth-authorization-server')) return response;
      const metadata = (await response.json()) as object;
      return Response.json({ ...metadata, client_id_metadata_document_supported: isSupported });
    },
  });
  await expect(auth.signIn(url)).rejects.toMatchObject({ code: 'REDIRECT_FAILED' });
  if (id === undefined) expect(asked.get('/reg')).toBe(1);
  else {
    expect(used).toBe(id);
    expect(asked.get('/reg')).toBeUndefined();
  }
});
