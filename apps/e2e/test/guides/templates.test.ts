import { once } from 'rxmcp';
import { resources, readText, uriTemplate } from 'rxmcp/resources';
import type { ResourceContents } from 'rxmcp/resources';
import { expect, it } from 'vitest';
import { each } from '../matrix/harness.js';

const listed = {
  name: 'Project Files',
  title: '📁 Project Files',
  description: 'Access files in the project directory',
};

each(
  'file:///{path} is listed, expanded and read, one segment of it',
  { server: 'templates' },
  async ({ connect, version }) => {
    const { remote } = await connect();
    const { read, templates } = resources(remote);
    const [found] = await once(templates());
    const { title, ...known } = listed;
    expect(found).toMatchObject({ uriTemplate: 'file:///{path}', ...known });
    expect(found?.title).toBe(version < '2025-06-18' ? undefined : title);
    const { expand } = uriTemplate('file:///{path}');
    for (const [path, text] of [
      ['notes.txt', 'A note.'],
      ['说明.md', '# 说明'],
    ] as const) {
      const [contents] = await once(read(expand({ path })));
      expect(readText(contents as ResourceContents)).toBe(text);
    }
  },
);

each(
  'a slash in {path} ends in an error that suggests {+path}',
  { server: 'templates' },
  async ({ connect }) => {
    const { remote } = await connect();
    await expect(once(resources(remote).read('file:///src%2Fmain.rs'))).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('{+path}') as string,
    });
  },
);

each(
  'file:///{+path} reads many segments and does not leave the folder',
  { server: 'templates', options: { text: 'file:///{+path}' } },
  async ({ connect }) => {
    const { remote } = await connect();
    const { read } = resources(remote);
    const [contents] = await once(read('file:///src/main.rs'));
    expect(readText(contents as ResourceContents)).toBe('fn main() {}');
    for (const uri of [
      'file:///src/%2e%2e/%2e%2e/etc/passwd',
      'file:////etc/passwd',
      'file:///src%5Cmain.rs',
    ]) {
      await expect(once(read(uri)), uri).rejects.toMatchObject({ code: -32602 });
    }
  },
);

it('expanding {path} with a slash is an error that suggests {+path}', () => {
  expect(() => uriTemplate('file:///{path}').expand({ path: 'src/main.rs' })).toThrow('{+path}');
});
