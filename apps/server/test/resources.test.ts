import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defineClient, once, RpcError } from 'rxmcp';
import { memory } from 'rxmcp/memory';
import { readBytes, isResourceNotFound, resources, readText } from 'rxmcp/resources';
import { tools } from 'rxmcp/tools';
import { describe, expect, it } from 'vitest';
import { demoServer } from '../src/demo-server.js';
import { folderUri } from '../src/folder/folder-uri.js';
import { desk, revisions, tempFolder } from './desk.js';

// They wait for the disk, which may be busy.

async function filled(): Promise<{ readonly root: string; readonly top: string }> {
  const root = await tempFolder();
  await mkdir(join(root, 'docs/more'), { recursive: true });
  await writeFile(join(root, 'main.rs'), 'fn main() {}\n');
  await writeFile(join(root, 'pixel.png'), new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1]));
  await writeFile(join(root, 'docs/一 [1].md'), '# 一\n');
  await writeFile(join(root, 'docs/b.md'), '# b\n');
  await writeFile(join(root, 'docs/more/c.md'), '# c\n');
  return { root, top: folderUri(root) };
}

describe.each(revisions)('resources in %s', (version) => {
  it('list the files with type and size, and the template', async () => {
    const { root, top } = await filled();
    const remote = await desk({ root }, { version });
    const list = await once(resources(remote).list());
    expect(list.map(({ name }) => name)).toEqual([
      'files',
      'docs/b.md',
      'docs/more/c.md',
      'docs/一 [1].md',
      'main.rs',
      'pixel.png',
      'recent-log',
    ]);
    const main = list.find(({ uri }) => uri === `${top}main.rs`);
    expect(main).toMatchObject({ mimeType: 'text/x-rust' });
    const templates = await once(resources(remote).templates());
    expect(templates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      `${top}{+path}`,
      'logs://recent{?timeframe}',
      'note://{title}',
    ]);
  });

  it('read text, binary, and names of any script', async () => {
    const { root, top } = await filled();
    const read = resources(await desk({ root }, { version })).read;
    expect(await once(read(`${top}main.rs`))).toEqual([
      { uri: `${top}main.rs`, mimeType: 'text/x-rust', text: 'fn main() {}\n' },
    ]);
    const [pixel] = await once(read(`${top}pixel.png`));
    expect(pixel).toMatchObject({ mimeType: 'image/png', blob: 'iVBORwAB' });
    expect(readBytes(pixel!)).toHaveLength(6);
    const [one] = await once(read(`${top}docs/一 %5B1%5D.md`.replace(' ', '%20')));
    expect(readText(one!)).toBe('# 一\n');
  });

  it('read a directory as the files directly in it', async () => {
    const { root, top } = await filled();
    const read = resources(await desk({ root }, { version })).read;
    for (const uri of [`${top}docs`, `${top}docs/`]) {
      const files = await once(read(uri));
      expect(files.map(readText)).toEqual(['# b\n', '# 一\n']);
    }
    expect((await once(read(top))).map(({ uri }) => uri)).toEqual([`${top}main.rs`, `${top}pixel.png`]);
  });

  it('refuse a file that would not fit into a message, also where only its encoding is too large', async () => {
    const { root, top } = await filled();
    const bytes = (size: number, fill: number): Uint8Array => new Uint8Array(size).fill(fill);
    await writeFile(join(root, 'fits.bin'), bytes(3_000_000, 0));
    await writeFile(join(root, 'large.bin'), bytes(3_300_000, 0));
    await writeFile(join(root, 'fits.txt'), bytes(4_000_000, 0x61));
    await writeFile(join(root, 'large.txt'), bytes(3_000_000, 0x0a));
    const read = resources(await desk({ root }, { version })).read;
    for (const name of ['fits.bin', 'fits.txt']) expect(await once(read(`${top}${name}`))).toHaveLength(1);
    for (const name of ['large.bin', 'large.txt']) {
      const error = await once(read(`${top}${name}`)).catch((cause: unknown) => cause);
      expect(RpcError.is(error) && error.code).toBe(-31_101);
    }
  });

  it('name the directories below where a directory is too large', async () => {
    const { root, top } = await filled();
    await writeFile(join(root, 'docs/large.txt'), 'x'.repeat(1_048_577));
    const read = resources(await desk({ root }, { version })).read;
    const error = await once(read(`${top}docs`)).catch((cause: unknown) => cause);
    expect(RpcError.is(error) && error.code).toBe(-31_101);
    expect((error as RpcError).data).toMatchObject({ code: 'TOO_LARGE', directories: [`${top}docs/more`] });
    expect((error as RpcError).message).toContain(`${top}docs/more`);
    expect(isResourceNotFound(error)).toBe(false);
  });

  it('answer an unknown uri with the error of the revision', async () => {
    const { root, top } = await filled();
    const read = resources(await desk({ root }, { version })).read;
    for (const uri of [`${top}nothing.md`, `${top}no/where.md`, 'note://none']) {
      const error = await once(read(uri)).catch((cause: unknown) => cause);
      expect(isResourceNotFound(error), String(error)).toBe(true);
    }
  });

  it('list in the log what was done, within a timeframe', async () => {
    const { root } = await filled();
    const remote = await desk({ root }, { version });
    await once(tools(remote).call('search_files', { query: 'fn' }));
    const [log] = await once(resources(remote).read('logs://recent?timeframe=15m'));
    expect(readText(log!)).toMatch(/^\d{4}-.*Z info search_files: 1 match in 4 files$/m);
    await expect(once(resources(remote).read('logs://recent?timeframe=soon'))).rejects.toThrow(/"15m"/);
  });
});

it('the log of one principal is not shown to another', async () => {
  const { root } = await filled();
  const link = memory();
  const handle = link.serve(await demoServer({ root }));
  const client = defineClient({ info: { name: 'desk', version: '1' } });
  const [ada, bob] = await Promise.all([
    client.connect(link.asPrincipal('ada')),
    client.connect(link.asPrincipal('bob')),
  ]);
  await once(tools(ada).call('search_files', { query: 'fn' }));
  const [own] = await once(resources(ada).read('logs://recent'));
  const [other] = await once(resources(bob).read('logs://recent'));
  expect(readText(own!)).toContain('search_files');
  expect(readText(other!)).not.toContain('search_files');
  expect(readText(other!)).toContain('serving');
  await Promise.all([ada.close(), bob.close()]);
  await handle.close();
});

it('beyond "maxFiles" files the rest is counted and reported', async () => {
  const root = await tempFolder();
  await mkdir(join(root, 'many'));
  await Promise.all(Array.from({ length: 140 }, (_, at) => writeFile(join(root, 'many', `f${at}.txt`), '')));
  const remote = await desk({ root, maxFiles: 100 });
  const list = await once(resources(remote).list());
  const files = list.filter(({ uri }) => uri.endsWith('.txt'));
  expect(files).toHaveLength(100);
  expect(list[0]).toMatchObject({
    _meta: { 'rxmcp.example/leftOut': 40 },
    description: expect.stringContaining('40 more'),
  });
  expect(remote.instructions).toContain('40 more are left out');
  const [log] = await once(resources(remote).read('logs://recent'));
  expect(readText(log!)).toMatch(/warning serving .* 40 more are left out/);
});
