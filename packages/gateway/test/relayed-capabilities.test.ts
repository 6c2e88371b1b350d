import type { JsonObject } from '@rxmcp/core';
import { expect, it } from 'vitest';
import { relayedCapabilities } from '../src/relayed-capabilities.js';

const own = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {}, context: {} },
  roots: {},
  experimental: { acme: {} },
};
const { experimental } = own;

it.each<[string, JsonObject, JsonObject]>([
  ['nothing', {}, {}],
  ['bare elicitation, which means forms', { elicitation: {} }, { elicitation: { form: {} } }],
  ['elicitation by URL', { elicitation: { url: {} } }, { elicitation: { url: {} } }],
  [
    'both kinds of elicitation',
    { elicitation: { form: {}, url: {} } },
    { elicitation: { form: {}, url: {} } },
  ],
  ['sampling with tools', { sampling: { tools: {}, other: {} } }, { sampling: { tools: {} } }],
  ['roots', { roots: { listChanged: true } }, { roots: {} }],
])('a client with %s: the gateway declares what both have', (_what, other, common) => {
  expect(relayedCapabilities(own, other)).toEqual({ ...common, experimental });
});

it('a client declares nothing that the gateway lacks', () => {
  expect(relayedCapabilities({}, own)).toEqual({});
});
