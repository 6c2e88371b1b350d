import { defineClient, defineServer, offerMethod, once } from '@rxmcp/core';
import { memory } from '@rxmcp/memory';
import { expect, it } from 'vitest';
import { record, replayAsServer } from '../../src/index.js';

const methods = ['own/one', 'own/two', 'own/three'];
const client = defineClient({ info: { name: 'c', version: '1.0.0' }, versions: ['2025-11-25'] });

it.each(methods)(
  'a lenient replay compares a request of %s with the recorded one of that method',
  async (method) => {
    const link = memory();
    const server = defineServer({
      info: { name: 's', version: '1.0.0' },
      offers: methods.map((name) => offerMethod(name, {}, () => ({}))),
    });
    const serving = link.serve(server);
    const wire = record(link);
    const remote = await client.connect(wire.recorded);
    await Promise.all(methods.map((name) => once(remote.request(name, { name: 'Ada' }))));
    await remote.close();
    await serving.close();

    const { transport, done } = replayAsServer(wire.recording(), { strict: false });
    const replayed = await client.connect(transport);
    await expect(once(replayed.request(method, { name: 'Eve' }))).rejects.toThrow();
    await expect(done).rejects.toMatchObject({
      code: 'FRAME_DIFFERS',
      path: 'params.name',
      expected: 'Ada',
      actual: 'Eve',
    });
  },
);
