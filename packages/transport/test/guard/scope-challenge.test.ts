import { expect, it } from 'vitest';
import { scopeChallenge } from '../../src/internal.js';

it.each([
  [['a', 'b:c'], 'a b:c'],
  // What would end the value early, or is no scope.
  [['a"', 'b c', 'd\\', '', 1, 'e'], 'e'],
  ['a', ''],
  [undefined, ''],
])('a challenge for the scopes %j names %j', (scopes, named) => {
  expect(scopeChallenge(undefined, scopes)).toEqual({
    'www-authenticate': `Bearer error="insufficient_scope", scope="${named}"`,
  });
});

it('is that of the authenticator where it has one', () => {
  const of = (challenge: string | undefined) =>
    scopeChallenge(
      Object.assign(() => ({ status: 401 as const }), {
        challengeFor: (scopes: readonly string[]) => challenge && `${challenge} ${scopes.join()}`,
      }),
      ['a', 'b'],
    );
  expect(of('DPoP')).toEqual({ 'www-authenticate': 'DPoP a,b' });
  expect(of(undefined)['www-authenticate']).toMatch(/^Bearer .*scope="a b"$/);
});
