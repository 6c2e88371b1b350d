import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { once } from 'rxmcp';
import { resource, resources, template, readText, uriTemplate } from 'rxmcp/resources';
import { expect, it } from 'vitest';
import { each } from '../matrix/harness.js';
import { repository } from '../repository.js';

const server = 'paths';
const missing = (version: string): number => (version < '2026-07-28' ? -32002 : -32602);

each('virtual files are read, whatever their names are', { server }, async (cell) => {
  const { remote, sent } = await cell.connect();
  const { read, templates } = resources(remote);
  const [tree] = await once(templates());
  const { expand } = uriTemplate(tree?.uriTemplate as 'file:///{path}');
  for (const [path, text] of [
    ['notes.txt', 'A note.'],
    ['说明.md', '# 说明'],
  ] as const) {
    const [contents] = await once(read(expand({ path })));
    expect(contents && readText(contents)).toBe(text);
  }
  // Written by hand it is encoded on its way, and decoded for the one who serves it.
  const [plain] = await once(read('file:///说明.md'));
  expect(plain).toMatchObject({ uri: 'file:///%E8%AF%B4%E6%98%8E.md', text: '# 说明' });
  expect(sent.at(-1)?.['params']).toMatchObject({ uri: 'file:///%E8%AF%B4%E6%98%8E.md' });
});

each('git: and https: are read from the server like any other scheme', { server }, async ({ connect }) => {
  const { remote } = await connect();
  const { list, read } = resources(remote);
  for (const { uri } of await once(list())) {
    const [contents] = await once(read(uri));
    expect(contents).toMatchObject({ uri, text: expect.any(String) as string });
  }
  const [page] = await once(read('https://example.com/guide'));
  expect(page?.mimeType).toBe('text/html');
});

each('a slash in {path} is reported, not missed silently', { server }, async ({ connect, version }) => {
  const { remote } = await connect();
  const { read } = resources(remote);
  await expect(once(read('file:///src/main.rs'))).rejects.toMatchObject({
    code: missing(version),
    message: 'no resource "file:///src/main.rs": {path} is one segment, {+path} would take many',
  });
  await expect(once(read('file:///src%2Fmain.rs'))).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining('{+path}') as string,
  });
});

each('an invalid uri is rejected by the first side that reads it', { server }, async ({ connect }) => {
  const { remote } = await connect();
  for (const uri of ['文件:///a', 'notes.txt', 'file:///a b', 'git://example.com:ada/app.git']) {
    await expect(once(resources(remote).read(uri)), uri).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
    await expect(once(remote.request('resources/read', { uri })), uri).rejects.toMatchObject({
      code: -32602,
    });
  }
});

it('an invalid uri, and an invalid media type, are rejected where they are offered', () => {
  expect(() => resource('文件:///a', {}, '')).toThrow('the scheme "文件"');
  expect(() => template('文件:///{a}', {}, () => '')).toThrow('the scheme "文件"');
  expect(() => resource('x:a', { mimeType: 'text' }, '')).toThrow('not a media type');
  expect(() => resource('x:a', {}, { blob: 'not base64' })).toThrow('base64');
});

it('the reference server lists its schemes in its README', () => {
  const readme = readFileSync(join(repository, 'apps/server/README.md'), 'utf8');
  for (const scheme of ['file:', 'logs:', 'note:']) expect(readme).toContain(`\`${scheme}//`);
});
