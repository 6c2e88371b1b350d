import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { defineClient } from '../../src/index.js';
import { rawServer } from '../rig/raw-server.js';

it('connect leaves no listener on its signal, whether it succeeds or fails', async () => {
  const { signal } = new AbortController();
  const server = rawServer(() => undefined);
  server.maxDials = 1;
  const client = defineClient({ info: { name: 'c', version: '1' } });
  const remote = await client.connect(server, { signal });
  await expect(client.connect(server, { signal })).rejects.toThrow('no server');
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  await remote.close();
});
