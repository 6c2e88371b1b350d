import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { causeOf, signedIn } from './signed-in.js';
import { resource, standIn } from './stand-in-server.js';

it.each([
  'U+3164',
  'U+E0041',
  'U+FE0F',
  'U+00AD',
  'U+202E',
  'U+2028',
  'U+200B',
  'U+0085',
  'U+D800',
  'U+E000',
])(
  'a response of an authorization server is shown without %s, which cannot be seen, also in a log',
  async (name) => {
    const invisible = String.fromCodePoint(Number.parseInt(name.slice(2), 16));
    const { server, resource, auth } = await signedIn();
    await auth.signOut(resource.url);
    server.broken.set('/token', {
      status: 400,
      body: { error: `invalid_${invisible}grant`, error_description: `sign${invisible}in` },
    });
    const error = await causeOf(auth.signIn(resource.url));
    expect(error?.message).toContain('"invalid_ grant: sign in"');
    expect(inspect(error, { depth: 20 })).not.toContain(invisible);
  },
);

it('a token in a response that is not JSON is not shown', async () => {
  const token = 'gho_16C7e42F292c69';
  const responses = { '/token': [new Response(token, { headers: { 'content-type': 'text/plain' } })] };
  const error = await causeOf(standIn({ responses }).auth.signIn(resource));
  expect(error?.code).toBe('TOKEN_FAILED');
  expect(inspect(error, { depth: 20 })).not.toContain(token);
});
