import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Subject } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Root } from '../src/index.js';
import { reachableRoots, resolveWithinRoots } from '../src/node.js';

let top: string;
const root = (name: string): Root => ({ uri: pathToFileURL(join(top, name)).href });

beforeEach(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), 'roots-')));
  await mkdir(join(top, 'root/sub'), { recursive: true });
  await mkdir(join(top, 'root-evil'));
  await mkdir(join(top, 'other'));
  for (const file of ['root/a.txt', 'root/sub/b.txt', 'root-evil/c.txt', 'other/d.txt', 'secret.txt']) {
    await writeFile(join(top, file), file);
  }
  await symlink(join(top, 'secret.txt'), join(top, 'root/leak.txt'));
  await symlink(join(top, 'other'), join(top, 'root/away'));
  await symlink(join(top, 'root/sub'), join(top, 'root/near'));
  await symlink(join(top, 'root'), join(top, 'alias'));
  await symlink(join(top, 'nowhere.txt'), join(top, 'root/dangling.txt'));
});

afterEach(async () => {
  vi.useRealTimers();
  await rm(top, { recursive: true, force: true });
});

describe('resolveWithinRoots', () => {
  it.each([
    ['root/a.txt', 'root/a.txt'],
    ['root', 'root'],
    ['root/sub/../a.txt', 'root/a.txt'],
    ['root/near/b.txt', 'root/sub/b.txt'],
    ['alias/a.txt', 'root/a.txt'],
    ['root/new.txt', 'root/new.txt'],
    ['root/near/new.txt', 'root/sub/new.txt'],
    ['root/..new.txt', 'root/..new.txt'],
  ])('lets %s pass as %s', async (asked, real) => {
    expect(await resolveWithinRoots(join(top, asked), [root('root')])).toBe(join(top, real));
  });

  it.each([
    ['secret.txt', 'outside of all roots'],
    ['root/../secret.txt', 'outside of all roots'],
    ['root-evil/c.txt', 'outside of all roots'],
    ['root-evil/new.txt', 'outside of all roots'],
    ['', 'outside of all roots'],
    ['root/leak.txt', 'outside of all roots'],
    ['root/away/d.txt', 'outside of all roots'],
    ['root/away/new.txt', 'outside of all roots'],
    ['root/dangling.txt', 'a link with a missing target'],
    ['root/none/new.txt', 'folder does not exist'],
    ['root/a.txt/new.txt', 'cannot be resolved'],
  ])('refuses "%s"', async (asked, why) => {
    const refused = resolveWithinRoots(`${top}/${asked}`, [root('root')]);
    await expect(refused).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      message: expect.stringContaining(why),
    });
  });

  it.each(['', 'a\0b', 'a\nb', '\u001b[2J', 'a\u009bb', 7 as never])(
    'rejects the invalid path %j',
    async (path) => {
      await expect(resolveWithinRoots(path, [root('root')])).rejects.toMatchObject({
        code: 'INVALID_PARAMS',
      });
    },
  );

  it('resolves a relative path from the first root, and accepts any root as a folder', async () => {
    const roots = [root('root'), root('other')];
    expect(await resolveWithinRoots('sub/b.txt', roots)).toBe(join(top, 'root/sub/b.txt'));
    expect(await resolveWithinRoots('../other/d.txt', roots)).toBe(join(top, 'other/d.txt'));
    await expect(resolveWithinRoots('../secret.txt', roots)).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
    });
  });

  it('does not count roots of other schemes, of other hosts, with NUL in them, and removed ones', async () => {
    const odd = [{ uri: 'https://api.example.com/v1' }, { uri: 'file://host/share' }];
    await expect(resolveWithinRoots('/etc/passwd', odd)).rejects.toThrow(/no file: root/);
    await expect(resolveWithinRoots(join(top, 'gone/a.txt'), [root('gone')])).rejects.toThrow(
      /folder does not exist/,
    );
    const nul = { uri: `${root('root').uri}%00` };
    await expect(resolveWithinRoots('a.txt', [nul])).rejects.toThrow(/no file: root/);
    expect(await resolveWithinRoots('a.txt', [nul, root('root')])).toBe(join(top, 'root/a.txt'));
    expect(await resolveWithinRoots(join(top, 'root/a.txt'), [...odd, root('gone'), root('root')])).toBe(
      join(top, 'root/a.txt'),
    );
  });

  it('resolves a root that is a link', async () => {
    expect(await resolveWithinRoots(join(top, 'root/a.txt'), [root('alias')])).toBe(join(top, 'root/a.txt'));
  });
});

describe('reachableRoots', () => {
  it('follows folders that vanish and come back, with one look for all', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
    const api = { uri: 'https://api.example.com/v1' };
    const [there, gone] = [root('root'), root('other')];
    const seen: (readonly Root[])[] = [];
    const late: (readonly Root[])[] = [];
    const roots$ = reachableRoots([there, gone, api], { checkIntervalMs: 100 });
    const subscriptions = [roots$.subscribe((roots) => seen.push(roots))];
    const look = async (count: number): Promise<void> => {
      await vi.advanceTimersByTimeAsync(100);
      await vi.waitFor(() => expect(seen).toHaveLength(count), { interval: 1 });
    };
    await look(1);
    await look(1);
    await rm(join(top, 'other'), { recursive: true });
    await look(2);
    subscriptions.push(roots$.subscribe((roots) => late.push(roots)));
    expect(late).toEqual([[there, api]]);
    await mkdir(join(top, 'other'));
    await look(3);
    expect(seen).toEqual([
      [there, gone, api],
      [there, api],
      [there, gone, api],
    ]);
    for (const subscription of subscriptions) subscription.unsubscribe();
    await vi.advanceTimersByTimeAsync(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('follows a list that changes itself', async () => {
    const list$ = new Subject<readonly Root[]>();
    const seen: (readonly Root[])[] = [];
    const subscription = reachableRoots(list$).subscribe((roots) => seen.push(roots));
    list$.next([root('root')]);
    await vi.waitFor(() => expect(seen).toHaveLength(1));
    list$.next([root('root'), root('other')]);
    await vi.waitFor(() => expect(seen).toHaveLength(2));
    subscription.unsubscribe();
    expect(seen).toEqual([[root('root')], [root('root'), root('other')]]);
  });
});
