import { BehaviorSubject, Subject } from 'rxjs';
import type { Remote } from 'rxmcp';
import { once } from 'rxmcp';
import { prompts } from 'rxmcp/prompts';
import { resources } from 'rxmcp/resources';
import type { Root } from 'rxmcp/roots';
import { offerRoots } from 'rxmcp/roots';
import { tools } from 'rxmcp/tools';
import { expect, it, vi } from 'vitest';
import { asksIn } from '../matrix/asks-in.js';
import { each } from '../matrix/harness.js';

const server = 'asking';
const needs = { replies: true };
const two: readonly Root[] = [
  { uri: 'file:///home/user/projects/frontend', name: '前端仓库' },
  { uri: 'https://api.example.com/v1', name: 'API Endpoint' },
];

const textOf = async (remote: Remote, tool: string): Promise<unknown> => {
  const [block] = (await once(tools(remote).call(tool))).content;
  return block?.type === 'text' ? block.text : block;
};

each(
  'two roots arrive untouched: a folder, and an address that is guidance only',
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
  'a server whose client has no roots works in its own folder and says so',
  { server },
  async ({ connect }) => {
    const { remote, received } = await connect();
    expect(await textOf(remote, 'workspace')).toMatch(/^the server's own folder: file:\/\/\/srv .*roots/);
    expect(asksIn(received)).toEqual([]);
  },
);

each(
  'roots that change are the new ones at the next question',
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
  'a root that vanishes while a call waits is not in its answer',
  { server, needs },
  async ({ connect }) => {
    const roots = new Subject<readonly Root[]>();
    const { remote } = await connect({ offers: [offerRoots(roots)] });
    const waiting = textOf(remote, 'workspace');
    roots.next([{ uri: 'file:///kept' }]);
    expect(await waiting).toBe('[["file:///kept",null]]');
  },
);

it('a root that is no folder needs an explicit option', () => {
  expect(() => offerRoots(two)).toThrow('https://api.example.com/v1');
});
