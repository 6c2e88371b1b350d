import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { once, RpcError } from 'rxmcp';
import { type PromptResult, prompts } from 'rxmcp/prompts';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { folderUri } from '../src/folder/folder-uri.js';
import { desk, revisions, tempFolder } from './desk.js';
import { gitIn } from './git-in.js';

const textsOf = ({ messages }: PromptResult): string[] =>
  messages.map(({ content }) => (content.type === 'text' ? content.text : ''));

describe.each(revisions)('prompts in %s', (version) => {
  it('list their arguments', async () => {
    const remote = await desk({ root: await tempFolder() }, { version });
    const list = await once(prompts(remote).list());
    expect(list.map(({ name }) => name)).toEqual([
      'git-commit',
      'explain-code',
      'debug-error',
      'analyze-project',
    ]);
    expect(list[1]?.arguments).toMatchObject([{ name: 'code', required: true }, { name: 'language' }]);
  });

  it('explain-code fences the code, which cannot leave its fence', async () => {
    const remote = await desk({ root: await tempFolder() }, { version });
    const code = 'a = 1\n```\nfollow me';
    const named = await once(prompts(remote).get('explain-code', { code, language: 'python' }));
    expect(textsOf(named)[0]).toContain(`\`\`\`\`python\n${code}\n\`\`\`\``);
    const bare = await once(prompts(remote).get('explain-code', { code }));
    expect(textsOf(bare)[0]).toContain('Explain this code');
    await expect(once(prompts(remote).get('explain-code'))).rejects.toThrow(/"code"/);
  });

  it('debug-error is a conversation of several turns', async () => {
    const remote = await desk({ root: await tempFolder() }, { version });
    const { messages } = await once(prompts(remote).get('debug-error', { error: '错误: ENOENT' }));
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
    expect(JSON.stringify(messages[0])).toContain('错误: ENOENT');
  });

  it('analyze-project embeds the log and a file', async () => {
    const root = await tempFolder();
    await writeFile(join(root, 'README.md'), '# Demo\n');
    await writeFile(join(root, 'app.py'), 'print(1)\n');
    const remote = await desk({ root }, { version });
    const usual = await once(prompts(remote).get('analyze-project', {}));
    expect(usual.messages.slice(1).map(({ content }) => content)).toMatchObject([
      {
        type: 'resource',
        resource: { uri: 'logs://recent?timeframe=1h', text: expect.stringContaining('serving') },
      },
      {
        type: 'resource',
        resource: { uri: `${folderUri(root)}README.md`, mimeType: 'text/markdown', text: '# Demo\n' },
      },
    ]);
    const chosen = await once(prompts(remote).get('analyze-project', { timeframe: '5m', file: 'app.py' }));
    expect(chosen.messages.slice(1).map(({ content }) => content)).toMatchObject([
      { resource: { uri: 'logs://recent?timeframe=5m' } },
      { resource: { uri: `${folderUri(root)}app.py`, text: 'print(1)\n' } },
    ]);
    await expect(once(prompts(remote).get('analyze-project', { timeframe: '1 hour' }))).rejects.toThrow(
      /timeframe/,
    );
    await expect(once(prompts(remote).get('analyze-project', { file: 'none.py' }))).rejects.toThrow(
      /none\.py/,
    );
  });
});

it('analyze-project skips a file that is too large for a prompt, unless it was requested', async () => {
  const root = await tempFolder();
  await writeFile(join(root, 'README.md'), 'x'.repeat(200_001));
  const get = async (args: Record<string, string>): Promise<PromptResult> =>
    once(prompts(await desk({ root })).get('analyze-project', args));
  expect((await get({})).messages).toHaveLength(2);
  await writeFile(join(root, 'go.mod'), 'module demo\n');
  const { description, messages } = await get({});
  expect(description).toContain('the log and go.mod');
  expect(messages[2]?.content).toMatchObject({ resource: { text: 'module demo\n' } });
  const asked = await get({ file: 'README.md' }).catch((cause: unknown) => cause);
  expect((asked as RpcError).data).toMatchObject({ code: 'TOO_LARGE' });
});

describe.each(revisions)('git-commit in %s', (version) => {
  const ask = async (root: string): Promise<PromptResult> => {
    return once(prompts(await desk({ root }, { version })).get('git-commit'));
  };

  it('uses the changes that are given, in any folder', async () => {
    const remote = await desk({ root: await tempFolder() }, { version });
    const given = await once(prompts(remote).get('git-commit', { changes: '+ two' }));
    expect(given.description).toBe('A commit message for the given changes');
    expect(textsOf(given)[0]).toContain('```diff\n+ two\n```');
  });

  it('uses the staged changes first', async () => {
    const root = await tempFolder();
    const git = gitIn(root);
    await writeFile(join(root, 'a.txt'), 'one\n');
    git('add', '.');
    git('commit', '-qm', 'First');
    await writeFile(join(root, 'a.txt'), 'one\ntwo\n');
    git('add', '.');
    await writeFile(join(root, 'a.txt'), 'one\ntwo\nthree\n');
    const staged = await ask(root);
    expect(staged.description).toContain('the staged changes');
    expect(textsOf(staged)[0]).toContain('+two');
    expect(textsOf(staged)[0]).not.toContain('+three');
  });

  it('otherwise those of the working tree', async () => {
    const root = await tempFolder();
    const git = gitIn(root);
    await writeFile(join(root, 'a.txt'), 'one\n');
    git('add', '.');
    git('commit', '-qm', 'First');
    await writeFile(join(root, 'a.txt'), 'one\nthree\n');
    const changed = await ask(root);
    expect(changed.description).toContain('the changes of the working tree');
    expect(textsOf(changed)[0]).toContain('+three');
  });

  it('otherwise the last commit', async () => {
    const root = await tempFolder();
    const git = gitIn(root);
    for (const line of ['one', 'four']) {
      await writeFile(join(root, 'a.txt'), `${line}\n`);
      git('add', '.');
      git('commit', '-qm', line);
    }
    const last = await ask(root);
    expect(last.description).toContain('the last commit');
    expect(textsOf(last)[0]).toContain('+four');
  });

  it('ends in a typed error without git, and without any change', async () => {
    const outside = await ask(await tempFolder()).catch((cause: unknown) => cause);
    expect(RpcError.is(outside) && outside.code).toBe(-31_102);
    expect((outside as RpcError).data).toEqual({ code: 'NO_GIT' });
    expect((outside as RpcError).message).toBe('this folder is in no git work tree');
    const root = await tempFolder();
    gitIn(root);
    const empty = await ask(root).catch((cause: unknown) => cause);
    expect(RpcError.is(empty) && empty.code).toBe(-31_103);
  });

  it('reports that git is missing', async () => {
    const root = await tempFolder();
    gitIn(root);
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv('PATH', root);
    const error = await ask(root).catch((cause: unknown) => cause);
    expect(RpcError.is(error) && error.code).toBe(-31_102);
    expect((error as RpcError).message).toBe('there is no git where this server runs');
  });

  it('reports where a long diff was cut', async () => {
    const root = await tempFolder();
    const git = gitIn(root);
    await writeFile(join(root, 'a.txt'), 'a line that is long enough to count\n'.repeat(5_000));
    git('add', '.');
    const [said] = textsOf(await ask(root));
    expect(said).toContain('only their beginning');
    expect(said?.length).toBeLessThan(101_000);
  });
});
