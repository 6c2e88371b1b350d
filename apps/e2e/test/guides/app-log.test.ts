import { once } from 'rxmcp';
import { isResourceNotFound, offerResources, resource, resources } from 'rxmcp/resources';
import { expect, it } from 'vitest';
import { each } from '../matrix/harness.js';
import { appLogText } from '../matrix/servers/app-log.js';

const uri = 'file:///logs/app.log';

each('the app.log server lists and reads its log', { server: 'app-log' }, async ({ connect }) => {
  const { remote } = await connect();
  const { list, read } = resources(remote);
  // The oldest revision completes without a word for it.
  const unspoken = remote.version === '2024-11-05' ? { completions: {} } : {};
  expect(remote.capabilities).toEqual({ ...unspoken, resources: {} });
  expect(await once(list())).toEqual([
    { uri, name: 'Application Logs', description: '应用程序日志', mimeType: 'text/plain' },
  ]);
  expect(await once(read(uri))).toEqual([{ uri, mimeType: 'text/plain', text: appLogText }]);
});

each('the app.log server offers no other log', { server: 'app-log' }, async ({ connect, version }) => {
  const { remote } = await connect();
  const other = 'file:///logs/其他.log';
  const error: unknown = await once(resources(remote).read(other)).catch((failure: unknown) => failure);
  expect(error).toMatchObject({
    code: version < '2026' ? -32002 : -32602,
    data: { uri: 'file:///logs/%E5%85%B6%E4%BB%96.log' },
  });
  expect(isResourceNotFound(error)).toBe(true);
});

it('rejects two resources of one uri', () => {
  const twin = resource(uri, {}, '');
  expect(() => offerResources([twin, twin])).toThrow(uri);
});
