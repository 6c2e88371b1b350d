import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { expect, it, onTestFinished } from 'vitest';
import { jwt } from '../src/server.js';

it.each([
  ['no list of keys', '{"keys": "none"}'],
  ['no keys', '{"keys": [1]}'],
  ['no object', '[]'],
  ['a page', '<html>'],
  ['too large', `{"keys": [], "x": "${'x'.repeat(2 ** 18)}"}`],
])('a key set that is invalid (%s) is fetched once in an interval', async (_name, body) => {
  let fetched = 0;
  const server = createServer((_, response) => {
    fetched += 1;
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const issuer = 'https://issuer.example';
  const jwksUri = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const verify = jwt({ issuer, jwksUri });
  const { privateKey } = await generateKeyPair('ES256');
  for (let kid = 0; kid < 5; kid += 1) {
    const token = new SignJWT({ sub: 'ada' }).setProtectedHeader({ alg: 'ES256', kid: String(kid) });
    const signed = await token.setIssuer(issuer).setAudience('a').setExpirationTime('1h').sign(privateKey);
    await expect(Promise.resolve(verify(signed, 'a'))).rejects.toThrow();
  }
  expect(fetched).toBe(1);
});

it('a key that is unusable does not hide the next one', async () => {
  const [weak, good] = [1_024, 2_048].map((modulusLength) => generateKeyPairSync('rsa', { modulusLength }));
  const keys = [weak, good].map((pair) => ({ ...pair?.publicKey.export({ format: 'jwk' }), kid: 'a' }));
  const server = createServer((_, response) => void response.end(JSON.stringify({ keys })));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const issuer = 'https://issuer.example';
  const verify = jwt({
    issuer,
    jwksUri: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
  });
  const token = new SignJWT({ sub: 'ada' }).setProtectedHeader({ alg: 'RS256', kid: 'a' });
  const signed = token.setIssuer(issuer).setAudience('a').setExpirationTime('1h');
  expect(await verify(await signed.sign(good?.privateKey as KeyObject), 'a')).toMatchObject({ sub: 'ada' });
});

it.each([
  ['keys with one name', { kid: 'a' }],
  ['a token that names none', {}],
])('each key that matches is tried (%s)', async (_name, header) => {
  const pairs = await Promise.all([1, 2, 3].map(() => generateKeyPair('ES256')));
  const keys = await Promise.all(
    pairs.map(async ({ publicKey }) => ({ ...(await exportJWK(publicKey)), kid: 'a', alg: 'ES256' })),
  );
  const server = createServer((_, response) => void response.end(JSON.stringify({ keys: keys.slice(0, 2) })));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const issuer = 'https://issuer.example';
  const verify = jwt({
    issuer,
    jwksUri: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
  });
  const subjects = pairs.map(async ({ privateKey }) => {
    const token = new SignJWT({ sub: 'ada' }).setProtectedHeader({ alg: 'ES256', ...header });
    const signed = await token.setIssuer(issuer).setAudience('a').setExpirationTime('1h').sign(privateKey);
    return (await verify(signed, 'a'))?.sub;
  });
  expect(await Promise.all(subjects)).toEqual(['ada', 'ada', undefined]);
});
