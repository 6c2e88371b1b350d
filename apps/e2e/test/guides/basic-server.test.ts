import { once } from 'rxmcp';
import { resources } from 'rxmcp/resources';
import { expect } from 'vitest';
import { each } from '../matrix/harness.js';

each(
  'the basic server lists and reads example://resource',
  { server: 'basic' },
  async ({ connect, version }) => {
    const { remote } = await connect();
    const { list, read } = resources(remote);
    expect(remote.version).toBe(version);
    expect(remote.info).toMatchObject({ name: 'example-server', version: '1.0.0' });
    expect(await once(list())).toEqual([{ uri: 'example://resource', name: 'Example Resource' }]);
    expect(await once(read('example://resource'))).toEqual([
      { uri: 'example://resource', text: 'An example.' },
    ]);
  },
);
