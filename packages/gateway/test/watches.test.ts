import { once } from '@rxmcp/core';
import { getRemoteLink } from '@rxmcp/core/internal';
import { offerResources, resources, template } from '@rxmcp/resources';
import { expect, it } from 'vitest';
import { whole } from '../src/forward.js';
import { gateway, legacy, modern } from './rig.js';

it.each([legacy, modern])(
  'one caller watches at most half of the resources of a server of %s',
  async (version) => {
    const notes = offerResources([template('note:///{name}', {}, () => 'empty')]);
    const { remote } = await gateway([notes], [legacy, version]);
    const request = (method: string, at: number): PromiseLike<unknown> => {
      const params = { uri: `note:///${String(at)}` };
      return getRemoteLink(remote).events({
        method,
        params,
        capability: 'resources',
        decode: whole,
        options: {},
      });
    };
    for (let at = 0; at < 512; at += 1) await request('resources/subscribe', at);
    await expect(request('resources/subscribe', 512)).rejects.toMatchObject({
      code: -31001,
      message: expect.stringContaining(
        'this caller watches as many resources of server "inner" as it may',
      ) as string,
    });
    await request('resources/unsubscribe', 0);
    await request('resources/subscribe', 512);
  },
);

it('a read is compared with 989 short templates of a server at most', async () => {
  const templates = Array.from({ length: 1_100 }, (_, at) =>
    template(`a${String(at).padStart(4, '0')}:{b}`, {}, () => 'text'),
  );
  const { remote } = await gateway([offerResources(templates)], [modern, modern]);
  const { read } = resources(remote);
  expect(await once(resources(remote).templates())).toHaveLength(1_100);
  // Each costs 256, and its 9 characters; 262,144 are allowed.
  expect(await once(read('a0988:x'))).toMatchObject([{ text: 'text' }]);
  await expect(once(read('a0989:x'))).rejects.toMatchObject({ code: -32602 });
});
