import { expect, it } from 'vitest';
import {
  missingCapabilities,
  capabilityNames,
  capabilitiesForNeeds,
} from '../../src/contract/capability-needs.js';

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
  expect(missingCapabilities({ elicitation: { form: {} } }, capabilities as never)).toEqual(missing);
});

it('a declaration for one ability does not count for another', () => {
  const needs = { sampling: { tools: {} }, roots: {} };
  expect(missingCapabilities(needs, { sampling: {}, roots: {} })).toEqual({ sampling: { tools: {} } });
  expect(missingCapabilities(needs, { sampling: { tools: {} } })).toEqual({ roots: {} });
});

it('a need for elicitation is one for forms', () => {
  expect(capabilitiesForNeeds('tool "x"', ['sampling', 'elicitation'])).toEqual({
    sampling: {},
    elicitation: { form: {} },
  });
  expect(capabilitiesForNeeds('tool "x"', [])).toBeUndefined();
});

it('a need may be one for urls, or for tools of a model', () => {
  expect(capabilitiesForNeeds('tool "x"', ['elicitation.url', 'sampling.tools', 'sampling'])).toEqual({
    elicitation: { url: {} },
    sampling: { tools: {} },
  });
  expect(capabilitiesForNeeds('tool "x"', ['elicitation', 'elicitation.url'])).toEqual({
    elicitation: { form: {}, url: {} },
  });
  expect(() => capabilitiesForNeeds('tool "x"', ['url' as never])).toThrow('one of sampling, sampling.tools');
});

it('a bare declaration declares no urls', () => {
  const url = { elicitation: { url: {} } };
  expect(missingCapabilities(url, { elicitation: {} })).toEqual(url);
  expect(missingCapabilities(url, { elicitation: { form: {} } })).toEqual(url);
  expect(missingCapabilities(url, { elicitation: { url: {} } })).toBeUndefined();
});

it('names the missing capability down to its mode', () => {
  expect(capabilityNames({ roots: {}, elicitation: { form: {} } })).toBe('roots, elicitation.form');
});
