import { expect, it } from 'vitest';
import { defineClient, TransportError } from '../../src/index.js';
import { connected, lost, rawServer } from '../rig/raw-server.js';
import { turn } from '../rig/turn.js';

const client = defineClient({ info: { name: 'c', version: '1' } });
const mistake = new TypeError('the dial of "mine" returned no connection');

it.each([undefined, null, {}, { start: true, traits: {} }, { start: () => undefined }])(
  'rejects a dial that returns %j with an error that names it',
  async (given) => {
    const dialled = client.connect({ name: 'mine', dial: () => Promise.resolve(given as never) });
    await expect(dialled).rejects.toThrow(mistake);
  },
);

it('on a redial the cause is still the loss', async () => {
  const server = rawServer(() => undefined);
  let dials = 0;
  const remote = await connected({
    name: 'mine',
    dial: () => (dials++ === 0 ? server.dial() : Promise.resolve(undefined as never)),
  });
  const states: unknown[] = [];
  remote.status$.subscribe((status) => states.push(status));
  server.pipes[0]?.end(lost());
  await turn();
  expect(dials).toBe(2);
  expect(states.at(-1)).toMatchObject({ state: 'closed', cause: { code: 'CONNECTION_LOST' } });
  expect(TransportError.is((states.at(-1) as { cause: unknown }).cause)).toBe(true);
});
