import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rounds } from '../../../../vitest.rounds.js';
import { uriTemplate } from '../src/index.js';

const templates = [
  ...['x:{v}', 'x:{v*}', 'x:{v,w}', 'x:{v,w*}', 'x:{v:3}', 'x:{+v}', 'x:{+v*}', 'x:{+v:3}', 'x:a{#v}'],
  ...['x:a{#v*}', 'x:a{#v:2}', 'x:a{.v}', 'x:a{.v*}', 'x:a{.v,w}', 'x:a{/v}', 'x:a{/v*}', 'x:a{/v,w*}'],
  ...['x:a{;v}', 'x:a{;v*}', 'x:a{;v,w}', 'x:a{?v}', 'x:a{?v*}', 'x:a{?v,w*}', 'x:a?b=1{&v}', 'x:a?b=1{&v*}'],
  ...['x:{v}{;w}', 'x:{v}{/w*}', 'x:{+v}{?w}', 'x:{+v*}{?w}', 'x:{+v*}.a{?w*}{#u*}', 'x:{v}/{+w*}/a'],
];
const pieces = fc.constantFrom(
  ...[
    'a',
    'b',
    'é',
    'v',
    'w',
    'v=',
    '&w=',
    ';v',
    ';w=',
    '?v=',
    '?',
    '#',
    '/',
    '//',
    '=',
    '&',
    ';',
    ',',
    '.',
    ':',
  ],
  ...[
    '!',
    "'",
    '(',
    '*',
    '+',
    '@',
    '$',
    '~',
    '%2C',
    '%2c',
    '%2F',
    '%3D',
    '%26',
    '%3B',
    '%2E',
    '%25',
    '%252C',
  ],
  ...['%20', '%C3%A9', '%3F', '%23', '%5B', '%5D', '%21', '%2A', '%00', '%5C', '%41', '%zz', '%E9'],
);
const uris = fc
  .tuple(
    fc.constantFrom('x:', 'x:a', 'x:a?b=1', 'x:a/', 'X:'),
    fc.array(pieces, { maxLength: 8 }),
    fc.constantFrom('', '.a', 'b/c/a'),
  )
  .map(([start, rest, end]) => start + rest.join('') + end);
const values = fc.array(pieces, { minLength: 1, maxLength: 3 }).map((all) => all.join(''));

/** What a template reads; undefined where it takes the uri no more than where it refuses a value in it. */
function readBy(text: string, uri: string): object | undefined {
  try {
    return uriTemplate(text).match(uri);
  } catch {
    return undefined;
  }
}

describe.each(templates)('%s', (text) => {
  const { expand } = uriTemplate(text);
  const fill = expand as (vars: object) => string;

  // Most of what is drawn begins as the template does: of the rest it may take nothing.
  const start = text.slice(0, text.indexOf('{')) + (/\{([#./;?&])/.exec(text)?.[1] ?? '');
  const near = fc.array(pieces, { maxLength: 4 }).map((rest) => start + rest.join(''));
  const plain = fc.constantFrom('a', 'b', 'é', '%2C', '%20', 'v', 'w');
  const listed = fc.array(plain, { minLength: 1, maxLength: 3 }).map((rest) => start + rest.join(','));
  // As the template itself would write it.
  const made = fc.array(plain, { minLength: 4, maxLength: 4 }).map((some) => {
    let at = 0;
    return text.replace(/\{([+#./;?&]?)([^}]*)\}/g, (_, operator: string, names: string) => {
      const parts = names.split(/\W+\d*,?/).filter((name) => name !== '');
      const texts = parts.map((name) => (/[;?&]/.test(operator) ? `${name}=` : '') + String(some[at++]));
      const separator = /[./;&]/.test(operator) ? operator : operator === '?' ? '&' : ',';
      return operator.replace('+', '') + texts.join(separator);
    });
  });

  it('writes all that it reads, and reads it back', () => {
    let read = 0;
    fc.assert(
      fc.property(fc.oneof(uris, near, listed, made), (uri) => {
        const vars = readBy(text, uri);
        if (vars === undefined) return;
        read += 1;
        const written = fill(vars);
        expect(readBy(text, written)).toEqual(vars);
        expect(fill(vars)).toBe(written);
      }),
      { numRuns: rounds(1_000) },
    );
    expect(read).toBeGreaterThan(3);
  });
});

it.each(['x:{+v*}', 'x:a{#v*}'])('%s takes any list of texts, commas in them too', (text) => {
  const { match, expand } = uriTemplate(text);
  const fill = expand as (vars: object) => string;
  expect(match(fill({ v: ['a,b', ',', '%2C'] }))).toEqual({ v: ['a,b', ',', '%2C'] });
  fc.assert(
    fc.property(fc.array(values, { minLength: 1, maxLength: 4 }), (v) => {
      // Separate rules reject a path that leads out, and a value that is not a path.
      const harmless = v.every((one) => !/%00|%5C|[\\/]|^\.{1,2}$|^[a-z]:/i.test(one));
      if (harmless) expect(match(fill({ v }))).toEqual({ v });
    }),
  );
});
