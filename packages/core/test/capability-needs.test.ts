import { expect, it } from 'vitest';
import { missingOf, namesOf, needsOf } from '../src/capability-needs.js';

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

it('what is declared for one ability counts for no other', () => {
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

it('names what is missing down to its mode', () => {
  expect(namesOf({ roots: {}, elicitation: { form: {} } })).toBe('roots, elicitation.form');
});
