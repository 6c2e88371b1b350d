import { expect, it } from 'vitest';
import type { Offer } from '../../src/index.js';
import { defineOffer } from '../../src/internal.js';
import { collectOffers, withoutServerInitiated } from '../../src/offers/capabilities.js';

const method = { method: 'x/y', handle: () => ({}) };
const notification = { method: 'x/told', handle: () => undefined };
const offer = (name: string, more: Partial<Offer> = {}): Offer =>
  defineOffer({ name, side: 'both', capabilities: {}, ...more } as Offer);

it('offers are collected with what each has', () => {
  const tools = offer('tools', { side: 'server', capabilities: { tools: {} }, methods: [method] });
  const told = offer('told', { notifications: [notification] } as Partial<Offer>);
  const { capabilities, methods, notifications, offers } = collectOffers([tools, told], 'server', { a: {} });
  expect(capabilities).toEqual({ a: {}, tools: {} });
  expect([[...methods.keys()], [...notifications.keys()]]).toEqual([['x/y'], ['x/told']]);
  expect(offers).toEqual([tools, told]);
});

it.each<[readonly Offer[], string]>([
  [[offer('a', { side: 'client' })], '"a" is offered by a client, not by a server'],
  [[offer('a'), offer('a')], '"a" is offered twice'],
  [
    [offer('a', { methods: [method] }), offer('b', { methods: [method] })],
    '"b" offers "x/y", which is offered already',
  ],
  [
    [
      offer('a', { notifications: [notification] } as never),
      offer('b', { notifications: [notification] } as never),
    ],
    '"b" offers "x/told", which is offered already',
  ],
  [[offer('a'), {} as Offer], 'offers[1] is not an offer'],
])('offers that exclude each other are rejected: %#', (offers, message) => {
  expect(() => collectOffers(offers, 'server', {})).toThrow(message);
});

it('what needs messages without a request is left out for some transports', () => {
  const capabilities = {
    tools: { listChanged: true },
    resources: { listChanged: true, subscribe: true, own: 1 },
    logging: {},
    odd: null,
  };
  expect(withoutServerInitiated(capabilities)).toEqual({
    tools: {},
    resources: { own: 1 },
    logging: {},
    odd: null,
  });
});
