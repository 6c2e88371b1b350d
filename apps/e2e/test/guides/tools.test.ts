import { lastValueFrom, toArray } from 'rxjs';
import { once } from 'rxmcp';
import { offerTools, tool, tools } from 'rxmcp/tools';
import { expect, it, vi } from 'vitest';
import { each } from '../matrix/harness.js';

const server = 'toolbox';

each('calculate_sum is listed with its schema and adds', { server }, async ({ connect }) => {
  const { remote } = await connect();
  const { call, list } = tools(remote);
  const found = (await once(list())).find(({ name }) => name === 'calculate_sum');
  expect(found).toMatchObject({
    description: 'Add two numbers together. Example: {"a": 2, "b": 3} gives 5.',
    inputSchema: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
    },
  });
  const b = Math.floor(Math.random() * 1_000_000);
  expect(await once(call('calculate_sum', { a: 2, b }))).toMatchObject({
    content: [{ type: 'text', text: String(2 + b) }],
  });
});

each('analyze_csv returns the operations that were requested', { server }, async ({ connect, version }) => {
  const { remote } = await connect();
  const asked = { filepath: 'sales.csv', operations: ['sum', 'count'] };
  const result = await once(tools(remote).call('analyze_csv', asked));
  expect(result.content).toEqual([{ type: 'text', text: '{"sum":42.5,"count":3}' }]);
  expect(result.structuredContent).toEqual(version < '2025-06-18' ? undefined : { sum: 42.5, count: 3 });
});

each('an unknown tool is an error of the protocol', { server }, async ({ connect }) => {
  const { remote } = await connect();
  await expect(once(tools(remote).call('calculate_sun', {}))).rejects.toMatchObject({
    code: -32602,
    message: 'unknown tool "calculate_sun", did you mean "calculate_sum"?',
  });
});

each('a tool that fails says so in its result', { server }, async ({ connect }) => {
  const { remote } = await connect();
  const asked = { filepath: '没有.csv', operations: ['sum'] };
  expect(await once(tools(remote).call('analyze_csv', asked))).toMatchObject({
    isError: true,
    content: [{ type: 'text', text: '找不到文件 没有.csv' }],
  });
});

each(
  'arguments that fail the schema: a result for the model, an error before 2025-11-25',
  { server },
  async (cell) => {
    const { remote } = await cell.connect();
    const answer = once(tools(remote).call('calculate_sum', { a: 1, b: '二' }));
    const text = expect.stringContaining('b: Invalid input') as string;
    if (cell.version < '2025-11-25')
      await expect(answer).rejects.toMatchObject({ code: -32602, message: text });
    else await expect(answer).resolves.toMatchObject({ isError: true, content: [{ type: 'text', text }] });
  },
);

each(
  'long work reports progress with its total, before the result',
  { server },
  async ({ connect, version }) => {
    const { remote } = await connect();
    const events = await lastValueFrom(tools(remote).events('count_lines', { to: 3 }).pipe(toArray()));
    const progress = [1, 2, 3].map((done) => ({
      type: 'progress',
      progress: done,
      total: 3,
      ...(version < '2025-03-26' ? {} : { message: `第 ${done} 行` }),
    }));
    expect(events.slice(0, -1)).toMatchObject(progress);
    expect(events.at(-1)).toMatchObject({ type: 'result', result: { content: [{ text: 'Counted to 3.' }] } });
  },
);

each(
  'tools are added, changed and removed while the server runs',
  { server, needs: { serverInitiates: true } },
  async (cell) => {
    const { remote } = await cell.connect();
    const last: { names?: string[]; description?: string | undefined } = {};
    const following = tools(remote).list$.subscribe((all) => {
      last.names = all.map(({ name }) => name);
      last.description = all.find(({ name }) => name === '新工具')?.description;
    });
    const fixed = ['calculate_sum', 'analyze_csv', 'count_lines'];
    const becomes = async (change: object, expected: typeof last): Promise<void> => {
      await once(remote.request('guide/tools', { name: '新工具', ...change }));
      await vi.waitFor(() => expect(last).toEqual(expected));
    };
    await vi.waitFor(() => expect(last.names).toEqual(fixed));
    await becomes({ description: '第一' }, { names: [...fixed, '新工具'], description: '第一' });
    await becomes({ description: '第二' }, { names: [...fixed, '新工具'], description: '第二' });
    expect(await once(tools(remote).call('新工具'))).toMatchObject({ content: [{ text: '第二' }] });
    await becomes({}, { names: fixed, description: undefined });
    await expect(once(tools(remote).call('新工具'))).rejects.toMatchObject({ code: -32602 });
    following.unsubscribe();
  },
);

it('two tools of one name are refused', () => {
  const twin = tool('calculate_sum', {}, () => 'ran');
  expect(() => offerTools([twin, twin])).toThrow(/calculate_sum/);
});
