import { once } from 'rxmcp';
import { readBytes, resources, readText } from 'rxmcp/resources';
import type { ResourceContents } from 'rxmcp/resources';
import { expect, vi } from 'vitest';
import { each } from '../matrix/harness.js';
import { pixel } from '../matrix/servers/shelf.js';

const blob = pixel.toString('base64');

each('a binary file arrives as a blob with its media type', { server: 'shelf' }, async ({ connect }) => {
  const { remote } = await connect();
  const uri = 'file:///shelf/pixel.gif';
  const contents = await once(resources(remote).read(uri));
  expect(contents).toEqual([{ uri, mimeType: 'image/gif', blob }]);
  expect(Buffer.from(readBytes(contents[0] as ResourceContents))).toEqual(pixel);
});

each(
  'a directory is read as its files, each with a uri of its own',
  { server: 'shelf' },
  async ({ connect }) => {
    const { remote } = await connect();
    const { list, read } = resources(remote);
    expect(await once(list())).toContainEqual({
      uri: 'file:///shelf/',
      name: 'shelf',
      mimeType: 'inode/directory',
    });
    expect(await once(read('file:///shelf/'))).toEqual([
      { uri: 'file:///shelf/readme.txt', mimeType: 'text/plain', text: '书架说明' },
      { uri: 'file:///shelf/pixel.gif', mimeType: 'image/gif', blob },
    ]);
  },
);

each(
  'logs://recent is a custom scheme, live and followed',
  { server: 'shelf', needs: { serverInitiates: true } },
  async (cell) => {
    const { remote } = await cell.connect();
    const seen: unknown[] = [];
    const following = resources(remote)
      .watch('logs://recent?timeframe=1h')
      .subscribe(([log]) => seen.push(log && readText(log)));
    await vi.waitFor(() => expect(seen).toEqual(['timeframe=1h\n服务已启动']));
    const line = `收到请求 ${Math.random()}`;
    await once(remote.request('guide/log', { line }));
    await vi.waitFor(() => expect(seen.at(-1)).toBe(`timeframe=1h\n服务已启动\n${line}`));
    following.unsubscribe();
  },
);

each('postgres:// and screen:// work like any scheme', { server: 'shelf' }, async ({ connect }) => {
  const { remote } = await connect();
  const { read } = resources(remote);
  const schema = 'postgres://database/customers/schema';
  expect(await once(read(schema))).toEqual([
    { uri: schema, mimeType: 'application/json', text: '["id","姓名"]' },
  ]);
  const screen = 'screen://localhost/display1';
  expect(await once(read(screen))).toEqual([{ uri: screen, mimeType: 'image/gif', blob }]);
  await expect(once(read('postgres://database/orders/schema'))).rejects.toThrow(
    'postgres://database/orders/schema',
  );
});
