import { copyFile, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { once, RpcError } from 'rxmcp';
import { prompts } from 'rxmcp/prompts';
import { describe, expect, it } from 'vitest';
import { desk, tempFolder } from './desk.js';
import { gitIn } from './git-in.js';

const secret = 'not to be read';

/** A repository whose only commit holds the secret. */
async function elsewhere(): Promise<string> {
  const other = await tempFolder();
  const git = gitIn(other);
  await writeFile(join(other, 'a.txt'), `${secret}\n`);
  git('add', '.');
  git('commit', '-qm', 'First');
  return other;
}

async function diffOf(root: string): Promise<string> {
  const { messages } = await once(prompts(await desk({ root })).get('git-commit'));
  return JSON.stringify(messages);
}

describe('git-commit does not leave the folder by', () => {
  it.each<[string, (root: string, other: string) => Promise<unknown>]>([
    ['a file .git', (root, other) => writeFile(join(root, '.git'), `gitdir: ${join(other, '.git')}\n`)],
    ['a link .git', (root, other) => symlink(join(other, '.git'), join(root, '.git'))],
    [
      'a file commondir',
      (root, other) => {
        gitIn(root);
        return writeFile(join(root, '.git/commondir'), join(other, '.git'));
      },
    ],
    [
      'a linked work tree of its own',
      async (root, other) => {
        const own = join(root, 'git/worktrees/x');
        await mkdir(own, { recursive: true });
        await copyFile(join(other, '.git/HEAD'), join(own, 'HEAD'));
        await writeFile(join(own, 'commondir'), join(other, '.git'));
        await writeFile(join(own, 'gitdir'), join(root, '.git'));
        await writeFile(join(root, '.git'), 'gitdir: git/worktrees/x\n');
      },
    ],
    [
      'a link to objects',
      async (root, other) => {
        gitIn(root);
        for (const name of ['objects', 'refs']) {
          await rm(join(root, '.git', name), { recursive: true });
          await symlink(join(other, '.git', name), join(root, '.git', name));
        }
      },
    ],
    [
      'borrowed objects',
      async (root, other) => {
        gitIn(root);
        await writeFile(join(root, '.git/objects/info/alternates'), `${join(other, '.git/objects')}\n`);
        await rm(join(root, '.git/refs'), { recursive: true });
        await symlink(join(other, '.git/refs'), join(root, '.git/refs'));
      },
    ],
  ])('%s', async (_name, lead) => {
    const root = await tempFolder();
    await lead(root, await elsewhere());
    const error = await diffOf(root).catch((cause: unknown) => cause);
    expect(String(error)).not.toContain(secret);
    expect(RpcError.is(error) && error.data).toEqual({ code: 'NO_GIT' });
    expect(String(error)).toContain('elsewhere');
  });

  it('the work tree that its settings name', async () => {
    const [root, other] = [await tempFolder(), await tempFolder()];
    const git = gitIn(root);
    await writeFile(join(root, 'a.txt'), 'one\n');
    git('add', '.');
    await writeFile(join(other, 'a.txt'), `${secret}\n`);
    const remote = await desk({ root });
    git('commit', '-qm', 'First');
    git('config', 'core.worktree', other);
    const error = await once(prompts(remote).get('git-commit')).catch((cause: unknown) => cause);
    expect(RpcError.is(error) && error.data).toEqual({ code: 'NO_GIT' });
  });
});

describe('git-commit describes', () => {
  it('a folder within a work tree, and nothing next to it', async () => {
    const top = await elsewhere();
    await mkdir(join(top, 'deep/root'), { recursive: true });
    await writeFile(join(top, 'deep/root/b.txt'), 'two\n');
    gitIn(top)('add', '.');
    await writeFile(join(top, 'a.txt'), `still ${secret}\n`);
    const diff = await diffOf(join(top, 'deep/root'));
    expect(diff).toContain('+two');
    expect(diff).not.toContain(secret);
  });

  it('a linked work tree', async () => {
    const linked = join(await tempFolder(), 'linked');
    gitIn(await elsewhere())('worktree', 'add', '--quiet', linked);
    await writeFile(join(linked, 'a.txt'), 'three\n');
    expect(await diffOf(linked)).toContain('+three');
  });

  it('a submodule', async () => {
    const above = await tempFolder();
    const allowed = ['-c', 'protocol.file.allow=always'];
    gitIn(above)(...allowed, 'submodule', '--quiet', 'add', await elsewhere(), 'sub');
    await writeFile(join(above, 'sub/a.txt'), 'four\n');
    expect(await diffOf(join(above, 'sub'))).toContain('+four');
  });
});
