import { lastValueFrom, toArray } from 'rxjs';
import { once } from 'rxmcp';
import { offerElicitation } from 'rxmcp/elicitation';
import { logging } from 'rxmcp/logging';
import { prompts } from 'rxmcp/prompts';
import { resource, resources } from 'rxmcp/resources';
import { tools } from 'rxmcp/tools';
import { expect, it } from 'vitest';
import { each } from '../matrix/harness.js';

const server = 'chinese';

each(
  'Chinese survives in names, arguments, values and progress',
  { server },
  async ({ connect, version }) => {
    const { remote } = await connect();
    const { events, list } = tools(remote);
    expect(remote.info).toMatchObject({ name: '图书馆服务器' });
    expect(remote.instructions).toBe('请先列出资源。');
    expect((await once(list())).map(({ name, description }) => [name, description])).toContainEqual([
      '问候',
      '说一句话',
    ]);
    const told = await lastValueFrom(events('问候', { 姓名: '李雷' }).pipe(toArray()));
    expect(told).toMatchObject([
      { type: 'progress', progress: 1, total: 2, ...(version < '2025-03-26' ? {} : { message: '进行中…' }) },
      { type: 'result', result: { content: [{ type: 'text', text: '你好，李雷！😀𠮷' }] } },
    ]);
  },
);

each('Chinese survives in errors', { server }, async ({ connect }) => {
  const { remote } = await connect();
  const { call } = tools(remote);
  expect(await once(call('失败'))).toMatchObject({ isError: true, content: [{ text: '磁盘已满，请清理' }] });
  await expect(once(call('拒绝'))).rejects.toMatchObject({
    code: 7,
    message: '没有权限',
    data: { 原因: '未登录' },
  });
  await expect(once(call('没有这个'))).rejects.toThrow('没有这个');
});

each('Chinese survives in prompts and in custom methods', { server }, async ({ connect }) => {
  const { remote } = await connect();
  const { get, list } = prompts(remote);
  expect(await once(list())).toMatchObject([
    { name: '周报', arguments: [{ name: '主题', description: '写什么' }] },
  ]);
  expect((await once(get('周报', { 主题: '春天' }))).messages).toMatchObject([
    { content: { text: '请写一份关于“春天”的周报' } },
  ]);
  await expect(once(get('周报'))).rejects.toThrow('"主题"');
  expect(await once(remote.request('图书馆/借书', { 书名: '红楼梦' }))).toMatchObject({ 借到: '红楼梦' });
});

each(
  'Chinese paths are percent-encoded on the wire, and read written either way',
  { server },
  async ({ connect }) => {
    const { remote, sent } = await connect();
    const { list, read } = resources(remote);
    const uri = 'file:///%E4%B9%A6%E6%9E%B6/%E7%AC%AC%E4%B8%80%E6%9C%AC.txt';
    expect(await once(list())).toEqual([{ uri, name: '第一本书', mimeType: 'text/plain' }]);
    for (const written of [uri, 'file:///书架/第一本.txt', uri.toLowerCase()]) {
      expect(await once(read(written)), written).toEqual([{ uri, mimeType: 'text/plain', text: '从前……' }]);
    }
    const reads = sent.filter(({ method }) => method === 'resources/read');
    expect(reads.map(({ params }) => (params as { uri: string }).uri)).toEqual([uri, uri, uri.toLowerCase()]);
  },
);

each('Chinese survives in logs', { server }, async ({ connect }) => {
  const { remote } = await connect();
  const records: unknown[] = [];
  const following = logging(remote).records$.subscribe((record) => records.push(record));
  await once(logging(remote).setLevel('info'));
  await once(tools(remote).call('问候', { 姓名: '韩梅梅' }));
  expect(records).toMatchObject([{ level: 'info', logger: '日志员', data: { 收到: '韩梅梅' } }]);
  following.unsubscribe();
});

each(
  'Chinese survives in forms, which exist since 2025-06-18',
  { server: 'asking', needs: { clientReplies: true } },
  async (cell) => {
    const shown: unknown[] = [];
    const forms = offerElicitation(({ message, requestedSchema }) => {
      shown.push([message, Object.keys(requestedSchema.properties)]);
      return { action: 'accept', content: { 姓名: '王芳' } };
    });
    const { remote } = await cell.connect({ offers: [forms] });
    const answer = once(tools(remote).call('register'));
    if (cell.version < '2025-06-18') {
      await expect(answer).rejects.toThrow('elicitation/create');
      return;
    }
    expect(await answer).toMatchObject({ content: [{ text: '欢迎，王芳' }] });
    expect(shown).toEqual([['请输入姓名', ['姓名']]]);
  },
);

it('a Chinese scheme is rejected by its name', () => {
  expect(() => resource('图书馆://书架/第一本', {}, '从前')).toThrow('"图书馆"');
});
