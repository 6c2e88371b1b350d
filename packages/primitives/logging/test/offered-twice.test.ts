import { defineServer } from '@rxmcp/core';
import { expect, it } from 'vitest';
import { offerLogging } from '../src/index.js';

it('logging that is offered twice is named', () => {
  const offers = [offerLogging(), offerLogging()];
  expect(() => defineServer({ info: { name: 'test', version: '1.0.0' }, offers })).toThrow(/"logging"/);
});
