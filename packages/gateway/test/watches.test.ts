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

it('URIs of 8,000 characters count as eight, so that a subscription for all callers stays below the size of a message', async () => {
  const notes = offerResources([template('note:///{name}', {}, () => 'empty')]);
  const { remote } = await gateway([notes], [legacy, modern]);
  const subscribe = (at: number): PromiseLike<unknown> =>
    getRemoteLink(remote).events({
      method: 'resources/subscribe',
      params: { uri: `note:///${'x'.repeat(8_000)}${String(at)}` },
      capability: 'resources',
      decode: whole,
      options: {},
    });
  for (let at = 0; at < 64; at += 1) await subscribe(at);
  await expect(subscribe(64)).rejects.toMatchObject({ code: -31001 });
});

it('a read of a long URI is compared with 524,288 characters of it in all, and only with templates that begin as it does', async () => {
  const of = (head: string, count: number) =>
    Array.from({ length: count }, (_, at) =>
      template(`${head}:{b}/${String(at).padStart(4, '0')}`, {}, () => 'text'),
    );
  const { remote } = await gateway([offerResources([...of('b', 300), ...of('a', 300)])], [modern, modern]);
  const { read } = resources(remote);
  await once(resources(remote).templates());
  const uri = (at: number): string => `a:${'x'.repeat(4_089)}/${String(at).padStart(4, '0')}`;
  expect(uri(0)).toHaveLength(4_096);
  expect(await once(read(uri(127)))).toMatchObject([{ text: 'text' }]);
  await expect(once(read(uri(128)))).rejects.toMatchObject({ code: -32602 });
  expect(await once(read('a:x/0299'))).toMatchObject([{ text: 'text' }]);
});

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
