import type { JsonObject, Remote } from 'rxmcp';
import { once } from 'rxmcp';
import { resources, readText } from 'rxmcp/resources';
import { expect, vi } from 'vitest';
import { each } from '../matrix/harness.js';
import { mainRs } from '../matrix/servers/project.js';

const mainUri = 'file:///project/src/main.rs';

const save = (remote: Remote, path: string, text: string): Promise<unknown> =>
  once(remote.request('guide/save', { path, text }));

const methodsOf = (messages: readonly JsonObject[]): unknown[] => messages.map(({ method }) => method);

each(
  'an editor lists its files, its user picks main.rs, and it is read',
  { server: 'project' },
  async (cell) => {
    const { remote } = await cell.connect();
    const { list, read } = resources(remote);
    const files = await once(list());
    expect(files.map(({ name }) => name)).toEqual(['main.rs', 'Cargo.toml', 'README.md']);
    const picked = files.find(({ name }) => name === 'main.rs');
    expect(picked?.uri).toBe(mainUri);
    expect(await once(read(mainUri))).toEqual([{ uri: mainUri, mimeType: 'text/x-rust', text: mainRs }]);
  },
);

each(
  'the metadata of a file arrives: title, size, icons, annotations',
  { server: 'project' },
  async (cell) => {
    const { remote } = await cell.connect();
    const [file] = await once(resources(remote).list());
    expect(file).toMatchObject({
      uri: mainUri,
      name: 'main.rs',
      description: 'Primary application entry point',
      mimeType: 'text/x-rust',
      size: Buffer.byteLength(mainRs),
      annotations: { audience: ['user', 'assistant'], priority: 0.8 },
    });
    if (cell.version < '2025-11-25') return;
    expect(file).toMatchObject({
      title: 'Rust Software Application Main File',
      annotations: { lastModified: '2025-01-12T15:00:58Z' },
      icons: [{ src: 'https://example.com/rust.png', mimeType: 'image/png', sizes: ['48x48'] }],
    });
  },
);

each(
  'a long list comes page by page',
  { server: 'project', options: { pageSize: 1 } },
  async ({ connect }) => {
    const { remote, sent, received } = await connect();
    expect(await once(resources(remote).list())).toHaveLength(3);
    const lists = sent.filter(({ method }) => method === 'resources/list');
    const next = received.flatMap(({ result }) => (result as JsonObject | undefined)?.['nextCursor'] ?? []);
    expect(next).toHaveLength(2);
    expect(lists.map(({ params }) => (params as JsonObject | undefined)?.['cursor'])).toEqual([
      undefined,
      ...next,
    ]);
  },
);

each(
  'a followed file: listed, read, subscribed, acknowledged, updated, read again, unsubscribed',
  { server: 'project', needs: { serverInitiates: true } },
  async ({ connect, era }) => {
    const { remote, sent, received, withdrawn } = await connect();
    const { list, read, watch } = resources(remote);
    await once(list());
    await once(read(mainUri));
    const seen: unknown[] = [];
    const watched = watch(mainUri);
    expect(watched.isLive).toBe(true);
    const following = watched.subscribe(([file]) => seen.push(file && readText(file)));
    await vi.waitFor(() => expect(seen).toEqual([mainRs]));
    await save(remote, 'src/main.rs', 'fn main() { /* 新 */ }\n');
    await vi.waitFor(() => expect(seen).toEqual([mainRs, 'fn main() { /* 新 */ }\n']));

    const opening = era === 'legacy' ? 'resources/subscribe' : 'subscriptions/listen';
    const subscribed = sent.filter(({ method }) => method === opening);
    expect(subscribed).toHaveLength(1);
    const updated = received.filter(({ method }) => method === 'notifications/resources/updated');
    expect(updated).toMatchObject([{ params: { uri: mainUri } }]);
    const acknowledged =
      era === 'legacy'
        ? received.findIndex(({ id }) => id === subscribed[0]?.['id'])
        : received.findIndex(({ method }) => method === 'notifications/subscriptions/acknowledged');
    expect(acknowledged).toBeGreaterThan(-1);
    expect(acknowledged).toBeLessThan(received.indexOf(updated[0] as JsonObject));

    following.unsubscribe();
    await vi.waitFor(() => {
      if (era === 'modern') expect([...withdrawn]).toEqual([subscribed[0]?.['id']]);
      else expect(methodsOf(sent).filter((method) => method === 'resources/unsubscribe')).toHaveLength(1);
    });
    const told = received.length;
    await save(remote, 'src/main.rs', 'not watched');
    expect(methodsOf(received.slice(told))).not.toContain('notifications/resources/updated');
  },
);

each(
  'a new file changes the list, and the notification has no parameters',
  { server: 'project', needs: { serverInitiates: true } },
  async ({ connect, era }) => {
    const { remote, received } = await connect();
    const names: unknown[][] = [];
    const following = resources(remote).list$.subscribe((files) => names.push(files.map(({ name }) => name)));
    await vi.waitFor(() => expect(names).toHaveLength(1));
    await save(remote, 'src/新文件.rs', '// 空');
    await vi.waitFor(() => expect(names.at(-1)).toEqual(['main.rs', 'Cargo.toml', 'README.md', '新文件.rs']));
    following.unsubscribe();
    const notices = received.filter(({ method }) => method === 'notifications/resources/list_changed');
    expect(notices).toHaveLength(1);
    const { _meta, ...own } = (notices[0]?.['params'] ?? {}) as JsonObject;
    expect(own).toEqual({});
    expect(_meta === undefined).toBe(era === 'legacy');
  },
);
