import { describe, expect, expectTypeOf, it } from 'vitest';
import type { Completions, VariableName } from '../src/index.js';
import { offerCompletion, filterByPrefix } from '../src/index.js';
import { variablesOf } from '../src/template-variables.js';

describe('what can be offered', () => {
  it.each<[string, () => unknown, string]>([
    [
      'an invalid source',
      () => offerCompletion({ prompts: { p: { a: 'x' as never } } }),
      '"a" of prompt "p"',
    ],
    [
      'a list with a number',
      () => offerCompletion({ prompts: { p: { a: [1 as never] } } }),
      'list of strings',
    ],
    ['a prompt without sources', () => offerCompletion({ prompts: { p: 1 as never } }), 'object of sources'],
    ['an invisible prompt', () => offerCompletion({ prompts: { 'p\u200b': {} } }), 'zero-width'],
    ['an argument without a name', () => offerCompletion({ prompts: { p: { '': [] } } }), 'needs a name'],
    ['a plain uri', () => offerCompletion({ templates: { 'file:///a': {} } }), 'has no variable'],
    [
      'a variable that is not there',
      () => offerCompletion({ templates: { 'file:///{path}': { pth: [] } as object } }),
      'template "file:///{path}" has no variable "pth"',
    ],
  ])('not %s', (_, make, message) => {
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
  });
});

describe('the variables of a template', () => {
  it('are found behind every operator and before every modifier', () => {
    const text = 'x:/{a}/{+b}{/c,d*}{.e:3}{;f}{?g,h*}{&i}{#j.k}';
    expect([...variablesOf(text)]).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j.k']);
    expectTypeOf<VariableName<'x:/{a}/{+b}{/c,d*}{.e:3}{?g,h*}{#j.k}'>>().toEqualTypeOf<
      'a' | 'b' | 'c' | 'd' | 'e' | 'g' | 'h' | 'j.k'
    >();
    expectTypeOf<VariableName<string>>().toEqualTypeOf<string>();
    expectTypeOf<VariableName<'x:/a'>>().toEqualTypeOf<never>();
  });

  it('are typed in an offer and in use', () => {
    offerCompletion({
      templates: {
        'file:///{path}': { path: (typed, ctx, filled) => [typed, ctx.method, filled['a'] ?? ''] },
      },
    });
    offerCompletion({ templates: { 'file:///{path}': {} } });
    expect(() =>
      // @ts-expect-error there is no such variable
      offerCompletion({ templates: { 'file:///{path}': { pth: [] } } }),
    ).toThrow(TypeError);
    const use = (completions: Completions): void => {
      completions.template('file:///{path}', 'path', '');
      completions.template('file:///{path}' as string, 'anything', '');
      // @ts-expect-error there is no such variable
      completions.template('file:///{path}', 'pth', '');
    };
    expect(use).toBeTypeOf('function');
  });
});

it('a list is searched by its beginnings, in its own order', () => {
  const values = ['ärger', 'Anna', 'bernd', 'ANTON'];
  expect(filterByPrefix('an', values)).toEqual(['Anna', 'ANTON']);
  expect(filterByPrefix('Ä', values)).toEqual(['ärger']);
  expect(filterByPrefix('', values)).toBe(values);
});
