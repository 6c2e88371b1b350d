import { expect, it } from 'vitest';
import { offerMethod, once } from '../../src/index.js';
import { defineOffer } from '../../src/internal.js';
import type { OfferHost } from '../../src/internal.js';
import { connected, rawServer } from '../rig/raw-server.js';
import { turn } from '../rig/turn.js';

it('row 45: a request that a server sends in the modern era is counted and never executed', async () => {
  let runs = 0;
  const server = rawServer(() => ({ result: { resultType: 'complete', fine: true } }));
  const remote = await connected(server, {
    offers: [offerMethod('x/mine', {}, () => ({ runs: (runs += 1) }))],
  });
  const faults: string[] = [];
  remote.faults$.subscribe(({ code }) => faults.push(code));
  const [wire] = server.pipes;
  const sent = wire?.sent.length;
  const methods = [
    'x/mine',
    'roots/list',
    'sampling/createMessage',
    'elicitation/create',
    'ping',
    '__proto__',
  ];
  for (const method of methods) wire?.put({ jsonrpc: '2.0', id: method, method, params: {} });
  await turn();
  expect(runs).toBe(0);
  expect(wire?.sent.slice(sent)).toEqual([]);
  expect(faults).toEqual(methods.map(() => 'UNEXPECTED_REQUEST'));
  expect(await once(remote.request('x/y'))).toMatchObject({ fine: true });
  await remote.close();
});

it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
  'a form that a server of %s asks for is one that its revision has',
  async (version) => {
    const server = rawServer(() => ({ result: {} }), { era: 'legacy', version });
    const remote = await connected(server, {
      offers: [offerMethod('elicitation/create', {}, () => ({ action: 'cancel' }))],
    });
    const [wire] = server.pipes;
    const sent = wire?.sent.length;
    wire?.put({ jsonrpc: '2.0', id: 7, method: 'elicitation/create', params: {} });
    await turn();
    const known = version >= '2025-06-18';
    const answer = known ? { result: { action: 'cancel' } } : { error: { code: -32601 } };
    expect(wire?.sent.slice(sent)).toMatchObject([{ id: 7, ...answer }]);
    await remote.close();
  },
);

it.each([
  ['legacy', ['notifications/roots/list_changed']],
  ['modern', []],
] as const)('changed roots are reported to a server of the %s era, once per tick', async (era, expected) => {
  const server = rawServer(() => undefined, { era });
  let host: OfferHost | undefined;
  const changing = defineOffer({
    name: 'roots',
    side: 'client',
    capabilities: { roots: { listChanged: true } },
    start: (started) => {
      host = started;
      return undefined;
    },
  });
  await connected(server, { offers: [changing] });
  host?.changed('roots');
  host?.changed('roots');
  await turn();
  expect(server.calls().map(({ method }) => method)).toEqual(expected);
});
