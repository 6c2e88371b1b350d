import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { once, RpcError } from 'rxmcp';
import { prompts } from 'rxmcp/prompts';
import { beforeEach, describe, expect, it } from 'vitest';
import { desk, tempFolder } from './desk.js';
import { gitIn } from './git-in.js';

type Git = ReturnType<typeof gitIn>;

let root = '';
let git: Git;
let program = '';
let marker = '';

/** A repository with one commit, and a program next to it that leaves a mark where it runs. */
beforeEach(async () => {
  const outside = await tempFolder();
  marker = join(outside, 'it-ran');
  program = join(outside, 'program.sh');
  // It signs as gpg does.
  const lines = ['#!/bin/sh', `: > '${marker}'`, 'cat', 'printf "\\n[GNUPG:] SIG_CREATED \\n" >&2'];
  await writeFile(program, `${lines.join('\n')}\n`);
  await chmod(program, 0o755);
  root = await tempFolder();
  git = gitIn(root);
  await writeFile(join(root, 'a.txt'), 'one\n');
  git('add', '.');
  git('commit', '-qm', 'First');
});

const attributes = (text: string): Promise<void> => writeFile(join(root, '.git/info/attributes'), text);
const change = (): Promise<void> => writeFile(join(root, 'a.txt'), 'one\ntwo\n');

async function commitMessage(): Promise<string> {
  const { messages } = await once(prompts(await desk({ root })).get('git-commit'));
  return JSON.stringify(messages);
}

describe('no setting of a folder makes git-commit run a program', () => {
  it.each<[string, () => Promise<void>]>([
    ['core.fsmonitor', async () => git('config', 'core.fsmonitor', program)],
    ['core.pager', async () => git('config', 'core.pager', program)],
    ['diff.external', async () => git('config', 'diff.external', program)],
    ['diff.x.command', () => (git('config', 'diff.x.command', program), attributes('* diff=x\n'))],
    ['diff.x.textconv', () => (git('config', 'diff.x.textconv', program), attributes('* diff=x\n'))],
    ['filter.x.clean', () => (git('config', 'filter.x.clean', program), attributes('* filter=x\n'))],
    [
      'filter.X.y.process',
      () => (git('config', 'filter.X.y.process', program), attributes('* filter=X.y\n')),
    ],
    [
      'a filter that is required',
      () => {
        git('config', 'filter.x.process', program);
        git('config', 'filter.x.clean', program);
        git('config', 'filter.x.required', 'true');
        return attributes('* filter=x\n');
      },
    ],
    [
      'a filter of a file that is included',
      async () => {
        await writeFile(join(root, '.git/more'), `[filter "x"]\n\tclean = ${program}\n`);
        git('config', 'include.path', 'more');
        await attributes('* filter=x\n');
      },
    ],
  ])('%s', async (_name, set) => {
    await set();
    await change();
    expect(await commitMessage()).toContain('+two');
    expect(existsSync(marker)).toBe(false);
  });

  it('gpg.program, which reads the signer of the last commit', async () => {
    git('config', 'gpg.program', program);
    git('config', 'log.showSignature', 'true');
    git('commit', '-qS', '--amend', '-m', 'Signed');
    await unlink(marker);
    expect(await commitMessage()).toContain('+one');
    expect(existsSync(marker)).toBe(false);
  });

  it('a filter with a name that no option can hold: returns nothing at all', async () => {
    git('config', 'filter.x=y.clean', program);
    await attributes('* filter=x=y\n');
    await change();
    const error = await commitMessage().catch((cause: unknown) => cause);
    expect(RpcError.is(error) && error.data).toEqual({ code: 'NO_GIT' });
    expect(existsSync(marker)).toBe(false);
  });

  it('the settings of a submodule', async () => {
    const sub = join(root, 'sub');
    git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', root, 'sub');
    git('commit', '-qam', 'Second');
    git('config', 'diff.submodule', 'diff');
    const inSub: Git = (...args) => git('-C', sub, ...args);
    inSub('config', 'diff.external', program);
    inSub('config', 'filter.x.clean', program);
    await writeFile(join(root, '.git/modules/sub/info/attributes'), '* filter=x\n');
    await writeFile(join(sub, 'a.txt'), 'one\nthree\n');
    inSub('-c', 'filter.x.clean=', 'commit', '-qam', 'Third');
    await writeFile(join(sub, 'a.txt'), 'one\nfour\n');
    await rm(marker, { force: true });
    expect(await commitMessage()).toContain('+Subproject commit');
    expect(existsSync(marker)).toBe(false);
  });

  it('the fetching of an object that is missing', async () => {
    for (const [name, value] of [
      ['core.repositoryFormatVersion', '1'],
      ['extensions.partialClone', 'origin'],
      ['remote.origin.promisor', 'true'],
      ['remote.origin.url', root],
      ['remote.origin.uploadpack', program],
    ] as const)
      git('config', name, value);
    await change();
    git('add', '.');
    const hash = execFileSync('git', ['hash-object', join(root, 'a.txt')], { encoding: 'utf8' }).trim();
    await unlink(join(root, '.git/objects', hash.slice(0, 2), hash.slice(2)));
    await writeFile(join(root, 'a.txt'), 'three\n');
    await expect(commitMessage()).rejects.toThrow('git does not tell the changes of this folder');
    expect(existsSync(marker)).toBe(false);
  });
});
