import { expect, it } from 'vitest';
import type { Traits } from '@rxmcp/transport';
import { modernMeta } from '../rig/raw-client.js';
import { turn } from '../rig/turn.js';
import { joined } from './joined.js';

const shared: Partial<Traits> = {
  lanes: 'per-request',
  idScope: 'lane',
  serverInitiates: false,
  clientReplies: false,
};

/** Which of these callers reach the server over one connection, and how the others are rejected. */
async function reach(traits: Partial<Traits>, callers: readonly (string | undefined)[]) {
  const { front, back } = await joined(traits, false);
  for (const [id, principal] of callers.entries()) {
    const request = {
      jsonrpc: '2.0',
      id,
      method: 'x/own',
      params: { caller: principal, _meta: modernMeta() },
    };
    front.putOn(request, { lane: {}, ...(principal === undefined ? {} : { principal }) });
  }
  await turn();
  return {
    reached: back.sent.map(({ params }) => params?.['caller']),
    rejected: front.sent.map(({ id, error }) => [id, error?.code, error?.message]),
  };
}

it('a connection that many callers share serves its own principal only', async () => {
  const { reached, rejected } = await reach({ ...shared, principal: 'ada' }, ['ada', 'bob', 'ada']);
  expect(reached).toEqual(['ada', 'ada']);
  expect(rejected).toEqual([[1, -32600, expect.stringContaining('"connectionPerPrincipal"')]]);
});

it('without a principal it serves anonymous callers only', async () => {
  const { reached, rejected } = await reach(shared, [undefined, 'ada', undefined]);
  expect(reached).toEqual([undefined, undefined]);
  expect(rejected.map(([id]) => id)).toEqual([1]);
});

it('a connection of one peer is not checked: its transport knows whose it is', async () => {
  const { reached, rejected } = await reach({}, ['ada', 'ada']);
  expect([reached, rejected]).toEqual([['ada', 'ada'], []]);
});
