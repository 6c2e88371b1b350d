import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BehaviorSubject } from 'rxjs';
import type { Remote } from 'rxmcp';
import { once } from 'rxmcp';
import { prompts } from 'rxmcp/prompts';
import { resources } from 'rxmcp/resources';
import type { Root } from 'rxmcp/roots';
import { offerRoots } from 'rxmcp/roots';
import { offerSampling } from 'rxmcp/sampling';
import type { ToolResult } from 'rxmcp/tools';
import { tools } from 'rxmcp/tools';
import { reachableRoots } from '@rxmcp/roots/node';
import { expect, it, onTestFinished, vi } from 'vitest';
import { asksIn } from '../matrix/asks-in.js';
import { each } from '../matrix/harness.js';

const server = 'asking';
const needs = { clientReplies: true };
const two: readonly Root[] = [
  { uri: 'file:///home/user/projects/frontend', name: '前端仓库' },
  { uri: 'https://api.example.com/v1', name: 'API Endpoint' },
];

const textOf = async (remote: Remote, tool: string): Promise<unknown> => {
  const [block] = (await once(tools(remote).call(tool))).content;
  return block?.type === 'text' ? block.text : block;
};

each(
  'two roots arrive unchanged: a folder, and an address that is only guidance',
  { server, needs },
  async (cell) => {
    const { remote } = await cell.connect({ offers: [offerRoots(two, { dangerouslyAllowAnyUri: true })] });
    expect(JSON.parse(String(await textOf(remote, 'workspace')))).toEqual([
      ['file:///home/user/projects/frontend', '前端仓库'],
      ['https://api.example.com/v1', 'API Endpoint'],
    ]);
  },
);

each('roots are asked for by prompts and reads, too', { server, needs }, async ({ connect }) => {
  const { remote } = await connect({ offers: [offerRoots(two, { dangerouslyAllowAnyUri: true })] });
  expect((await once(prompts(remote).get('brief'))).messages).toMatchObject([
    { content: { text: '请总结 前端仓库、API Endpoint' } },
  ]);
  expect(await once(resources(remote).read('roots://mine'))).toMatchObject([
    { text: 'file:///home/user/projects/frontend\nhttps://api.example.com/v1' },
  ]);
});

each(
  'a server whose client has no roots works in its own folder and reports it',
  { server },
  async ({ connect }) => {
    const { remote, received } = await connect();
    expect(await textOf(remote, 'workspace')).toMatch(/^the server's own folder: file:\/\/\/srv .*roots/);
    expect(asksIn(received)).toEqual([]);
  },
);

each(
  'changed roots are the new ones at the next request for roots',
  { server, needs },
  async ({ connect, era }) => {
    const roots = new BehaviorSubject<readonly Root[]>([{ uri: 'file:///one', name: '一' }]);
    const { remote, sent } = await connect({ offers: [offerRoots(roots)] });
    expect(await textOf(remote, 'workspace')).toBe('[["file:///one","一"]]');
    roots.next([{ uri: 'file:///two', name: '二' }]);
    const told = era === 'legacy' ? '1' : '0';
    await vi.waitFor(async () => expect(await textOf(remote, 'root_changes')).toBe(told));
    expect(await textOf(remote, 'workspace')).toBe('[["file:///two","二"]]');
    const notices = sent.filter(({ method }) => method === 'notifications/roots/list_changed');
    expect(notices).toHaveLength(Number(told));
  },
);

each(
  'a root that vanishes in the middle of a call is missing at its next request for roots',
  { server, needs },
  async ({ connect }) => {
    const roots = new BehaviorSubject<readonly Root[]>([{ uri: 'file:///kept' }, { uri: 'file:///lost' }]);
    const model = () => {
      roots.next([{ uri: 'file:///kept' }]);
      return { role: 'assistant' as const, content: { type: 'text' as const, text: '!' }, model: 'stand-in' };
    };
    const offers = [offerRoots(roots), offerSampling(model, { approve: 'dangerouslyAlways' })];
    const { remote } = await connect({ offers });
    expect(await textOf(remote, 'look_twice')).toBe('file:///kept file:///lost | file:///kept');
  },
);

each('folders that cannot be reached any more are not roots', { server, needs }, async ({ connect }) => {
  const folder = await mkdtemp(join(tmpdir(), 'rxmcp-roots-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const both = ['here', 'gone'].map((name) => join(folder, name));
  for (const path of both) await mkdir(path);
  const wanted = both.map((path) => ({ uri: pathToFileURL(path).href }));
  const { remote } = await connect({ offers: [offerRoots(reachableRoots(wanted, { checkIntervalMs: 20 }))] });
  const uris = async (): Promise<unknown> =>
    (JSON.parse(String(await textOf(remote, 'workspace'))) as string[][]).map(([uri]) => uri);
  await vi.waitFor(async () => expect(await uris()).toEqual(wanted.map(({ uri }) => uri)));
  await rm(both[1] as string, { recursive: true });
  await vi.waitFor(async () => expect(await uris()).toEqual([wanted[0]?.uri]));
});

each('roots are a boundary only where the server enforces them', { server, needs }, async ({ connect }) => {
  const folder = await mkdtemp(join(tmpdir(), 'rxmcp-roots-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const real = await realpath(folder);
  const { remote } = await connect({ offers: [offerRoots([{ uri: pathToFileURL(folder).href }])] });
  const open = (path: string, bounded: boolean): Promise<ToolResult> =>
    once(tools(remote).call('open_path', { path, bounded }));
  const outside = join(folder, '..', '外面');
  expect(await open('里面.txt', true)).toMatchObject({ content: [{ text: join(real, '里面.txt') }] });
  expect(await open(outside, false)).toMatchObject({ content: [{ text: outside }] });
  await expect(open(outside, true)).rejects.toMatchObject({ code: -32602 });
});

it('a root that is not a folder needs an explicit option', () => {
  expect(() => offerRoots(two)).toThrow('https://api.example.com/v1');
});
