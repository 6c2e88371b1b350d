import { expect, it } from 'vitest';
import { missingOf, namesOf, needsOf } from '../../src/contract/capability-needs.js';

const form = { elicitation: { form: {} } };

it.each([
  ['a bare declaration', { elicitation: {} }, undefined],
  ['forms', { elicitation: { form: {} } }, undefined],
  ['both modes', { elicitation: { form: {}, url: {} } }, undefined],
  ['the url mode only', { elicitation: { url: {} } }, form],
  ['nothing', {}, form],
  ['no object', { elicitation: true }, form],
  ['a list', { elicitation: [] }, form],
  ['the prototype', JSON.parse('{"__proto__":{"elicitation":{}}}') as object, form],
])('forms are declared or missing with %s', (_, capabilities, missing) => {
  expect(missingOf({ elicitation: { form: {} } }, capabilities as never)).toEqual(missing);
});

it('a declaration for one ability does not count for another', () => {
  const needs = { sampling: { tools: {} }, roots: {} };
  expect(missingOf(needs, { sampling: {}, roots: {} })).toEqual({ sampling: { tools: {} } });
  expect(missingOf(needs, { sampling: { tools: {} } })).toEqual({ roots: {} });
});

it('a need for elicitation is one for forms', () => {
  expect(needsOf('tool "x"', ['sampling', 'elicitation'])).toEqual({
    sampling: {},
    elicitation: { form: {} },
  });
  expect(needsOf('tool "x"', [])).toBeUndefined();
});

it('a need may be one for urls, or for tools of a model', () => {
  expect(needsOf('tool "x"', ['elicitation.url', 'sampling.tools', 'sampling'])).toEqual({
    elicitation: { url: {} },
    sampling: { tools: {} },
  });
  expect(needsOf('tool "x"', ['elicitation', 'elicitation.url'])).toEqual({
    elicitation: { form: {}, url: {} },
  });
  expect(() => needsOf('tool "x"', ['url' as never])).toThrow('none of sampling, sampling.tools');
});

it('a bare declaration declares no urls', () => {
  const url = { elicitation: { url: {} } };
  expect(missingOf(url, { elicitation: {} })).toEqual(url);
  expect(missingOf(url, { elicitation: { form: {} } })).toEqual(url);
  expect(missingOf(url, { elicitation: { url: {} } })).toBeUndefined();
});

it('names the missing capability down to its mode', () => {
  expect(namesOf({ roots: {}, elicitation: { form: {} } })).toBe('roots, elicitation.form');
});
