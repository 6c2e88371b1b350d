import { getRemoteLink } from '@rxmcp/core/internal';
import { offerResources, template } from '@rxmcp/resources';
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
