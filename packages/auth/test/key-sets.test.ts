import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWTHeaderParameters, SignJWT } from 'jose';
import { expect, it, onTestFinished } from 'vitest';
import { jwt } from '../src/server.js';

const issuer = 'https://issuer.example';

/** A verifier of tokens by a key set with this text, and how often that was fetched. */
async function verifierOf(text: string) {
  let fetched = 0;
  const server = createServer((_, response) => {
    fetched += 1;
    response.end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const verify = jwt({ issuer, jwksUri: `http://127.0.0.1:${String(port)}` });
  return {
    fetched: () => fetched,
    async subjectOf(key: CryptoKey | KeyObject, header: JWTHeaderParameters): Promise<unknown> {
      const token = new SignJWT({ sub: 'ada' }).setProtectedHeader(header);
      const signed = await token.setIssuer(issuer).setAudience('a').setExpirationTime('1h').sign(key);
      return (await verify(signed, 'a'))?.sub;
    },
  };
}

it.each([
  ['no list of keys', '{"keys": "none"}'],
  ['no keys', '{"keys": [1]}'],
  ['no object', '[]'],
  ['a page', '<html>'],
  ['too large', `{"keys": [], "x": "${'x'.repeat(2 ** 18)}"}`],
])('a key set that is invalid (%s) is fetched once in an interval', async (_name, text) => {
  const { subjectOf, fetched } = await verifierOf(text);
  const { privateKey } = await generateKeyPair('ES256');
  for (let kid = 0; kid < 5; kid += 1)
    await expect(subjectOf(privateKey, { alg: 'ES256', kid: String(kid) })).rejects.toThrow();
  expect(fetched()).toBe(1);
});

it('a key that is unusable does not hide the next one', async () => {
  const [weak, good] = [1_024, 2_048].map((modulusLength) => generateKeyPairSync('rsa', { modulusLength }));
  const keys = [weak, good].map((pair) => ({ ...pair?.publicKey.export({ format: 'jwk' }), kid: 'a' }));
  const { subjectOf } = await verifierOf(JSON.stringify({ keys }));
  expect(await subjectOf(good?.privateKey as KeyObject, { alg: 'RS256', kid: 'a' })).toBe('ada');
});

it.each([
  ['keys with one name', { kid: 'a' }],
  ['a token that names none', {}],
])('each key that matches is tried (%s)', async (_name, header) => {
  const pairs = await Promise.all([1, 2, 3].map(() => generateKeyPair('ES256')));
  const keys = await Promise.all(
    pairs.map(async ({ publicKey }) => ({ ...(await exportJWK(publicKey)), kid: 'a', alg: 'ES256' })),
  );
  const { subjectOf } = await verifierOf(JSON.stringify({ keys: keys.slice(0, 2) }));
  const subjects = pairs.map(({ privateKey }) => subjectOf(privateKey, { alg: 'ES256', ...header }));
  expect(await Promise.all(subjects)).toEqual(['ada', 'ada', undefined]);
});
