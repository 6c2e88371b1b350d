import { once } from 'rxmcp';
import { completion } from 'rxmcp/completion';
import { resources, readText, uriTemplate } from 'rxmcp/resources';
import { expect } from 'vitest';
import { each } from '../matrix/harness.js';

each('{path} is completed, filled in and read', { server: 'paths' }, async ({ connect }) => {
  const { remote, sent } = await connect();
  const [tree] = await once(resources(remote).templates());
  const text = tree?.uriTemplate as 'file:///{path}';
  const { values } = await once(completion(remote).template(text, 'path', 'NOTES'));
  expect(values).toEqual(['notes.txt', 'notes.old.txt']);
  expect(sent.at(-1)).toMatchObject({
    method: 'completion/complete',
    params: { ref: { type: 'ref/resource', uri: text }, argument: { name: 'path', value: 'NOTES' } },
  });
  for (const path of values) {
    const [contents] = await once(resources(remote).read(uriTemplate(text).expand({ path })));
    expect(contents && readText(contents)).toMatch(/note\.$/);
  }
  const all = await once(completion(remote).template(text, 'path', ''));
  expect(all).toMatchObject({ values: ['notes.txt', 'notes.old.txt', '说明.md'], total: 3, hasMore: false });
});

each('an unknown variable or template is an error', { server: 'paths' }, async ({ connect }) => {
  const { remote } = await connect();
  const ask = (uri: string, name: string): Promise<unknown> =>
    once(
      remote.request('completion/complete', {
        ref: { type: 'ref/resource', uri },
        argument: { name, value: '' },
      }),
    );
  await expect(ask('file:///{path}', 'other')).rejects.toMatchObject({ code: -32602 });
  await expect(ask('file:///{+path}', 'path')).rejects.toMatchObject({ code: -32602 });
});
