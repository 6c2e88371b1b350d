import type { JsonObject } from 'rxmcp';
import { once } from 'rxmcp';
import { prompt, prompts } from 'rxmcp/prompts';
import { resources, readText } from 'rxmcp/resources';
import { expect, it } from 'vitest';
import { each } from '../matrix/harness.js';

const server = 'workflows';
const user = (text: string): JsonObject => ({ role: 'user', content: { type: 'text', text } });

each('the prompts are listed with their arguments', { server }, async ({ connect }) => {
  const { remote } = await connect();
  expect(remote.capabilities).toMatchObject({ prompts: {} });
  const found = await once(prompts(remote).list());
  expect(found).toContainEqual({
    name: 'analyze-code',
    description: 'Analyze code for potential improvements',
    arguments: [{ name: 'language', description: 'Programming language', required: true }],
  });
  expect(found).toContainEqual({
    name: 'explain-code',
    description: 'Explain how code works',
    arguments: [
      { name: 'code', description: 'Code to explain', required: true },
      { name: 'language', description: 'Programming language' },
    ],
  });
});

each('analyze-code is filled in with its language', { server }, async ({ connect }) => {
  const { remote } = await connect();
  const filled = await once(prompts(remote).get('analyze-code', { language: 'python' }));
  expect(filled.description).toBe('Analyze python code for potential improvements');
  expect(filled.messages).toMatchObject([user(expect.stringContaining('following python code') as string)]);
});

each('analyze-project embeds a log and a code file', { server }, async ({ connect }) => {
  const { remote } = await connect();
  const fileUri = 'file:///path/to/code.py';
  const { messages } = await once(prompts(remote).get('analyze-project', { timeframe: '1h', fileUri }));
  const logs = { uri: 'logs://recent?timeframe=1h', mimeType: 'text/plain' };
  const [log] = await once(resources(remote).read(logs.uri));
  expect(messages).toMatchObject([
    user('请分析这些系统日志和代码文件，找出问题：'),
    { role: 'user', content: { type: 'resource', resource: { ...logs, text: log && readText(log) } } },
    { role: 'user', content: { type: 'resource', resource: { uri: fileUri, mimeType: 'text/x-python' } } },
  ]);
});

each('debug-error is a conversation of several steps', { server }, async ({ connect }) => {
  const { remote } = await connect();
  const { messages } = await once(prompts(remote).get('debug-error', { error: '连接超时' }));
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  expect(messages[0]).toEqual(user("Here's an error I'm seeing: 连接超时"));
});

each(
  'git-commit and explain-code are filled in, an optional language too',
  { server },
  async ({ connect }) => {
    const { remote } = await connect();
    const { get } = prompts(remote);
    const texts = async (name: string, args: Record<string, string>): Promise<string> =>
      JSON.stringify((await once(get(name, args))).messages);
    expect(await texts('git-commit', { changes: '+ 修复登录' })).toContain('these changes:\\n\\n+ 修复登录');
    expect(await texts('explain-code', { code: 'x = 1' })).toContain('this Unknown code works:\\n\\nx = 1');
    expect(await texts('explain-code', { code: 'x = 1', language: 'Python' })).toContain('this Python code');
  },
);

each(
  'an unknown prompt is an error, and so are missing arguments, all of them named',
  { server },
  async (cell) => {
    const { remote } = await cell.connect();
    const { get } = prompts(remote);
    await expect(once(get('没有'))).rejects.toMatchObject({ code: -32602, message: 'unknown prompt "没有"' });
    await expect(once(get('analyze-project'))).rejects.toMatchObject({
      code: -32602,
      message: 'prompt "analyze-project" misses the arguments "timeframe", "fileUri"',
    });
  },
);

it('a prompt that is listed but not implemented cannot be filled in', () => {
  const absent = undefined as unknown as () => string;
  expect(() => prompt('git-commit', {}, absent)).toThrow('prompt "git-commit" needs a handler');
});
