import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { withFileLock } from '../src/node/file-lock.js';
import { fileStore } from '../src/node.js';

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'rxmcp-auth-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

describe('the file store', () => {
  it('keeps texts for its owner alone, and leaves nothing else behind', async () => {
    const at = await folder();
    const path = join(at, 'deep', 'tokens.json');
    const store = fileStore(path);
    expect(await store.get('a')).toBeUndefined();
    await store.set('a', '1');
    await store.set('b', '2');
    await store.set('a', undefined);
    expect(await fileStore(path).get('a')).toBeUndefined();
    expect(await fileStore(path).get('b')).toBe('2');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(join(at, 'deep'))).toEqual(['tokens.json']);
  });

  it.runIf(process.getuid !== undefined)('uses no file that others can write', async () => {
    const path = join(await folder(), 'tokens.json');
    const store = fileStore(path);
    await store.set('a', '1');
    for (const mode of [0o620, 0o602, 0o666]) {
      await chmod(path, mode);
      for (const use of [() => store.get('a'), () => store.set('a', '2')])
        await expect(use()).rejects.toMatchObject({
          code: 'STORE_FAILED',
          message: `${JSON.stringify(path)} can be written by other users (mode ${mode.toString(8)}): check what it has, and run chmod 600`,
        });
    }
    await chmod(path, 0o644);
    expect(await store.get('a')).toBe('1');
  });

  // Only root can give a file to another user.
  it.runIf(process.getuid?.() === 0)('uses no file of another user', async () => {
    const path = join(await folder(), 'tokens.json');
    const store = fileStore(path);
    await store.set('a', '1');
    await chown(path, 1_000, 1_000);
    await expect(store.get('a')).rejects.toThrow('belongs to another user (uid 1000)');
  });

  it('loses nothing where two write at once', async () => {
    const path = join(await folder(), 'tokens.json');
    const stores = [fileStore(path), fileStore(path)];
    await Promise.all(Array.from({ length: 10 }, (_, at) => stores[at % 2]?.set(`key ${at}`, 'x')));
    const { entries } = JSON.parse(await readFile(path, 'utf8')) as { entries: object };
    expect(Object.keys(entries)).toHaveLength(10);
  });

  it('runs one action for a key at a time, and takes the lock of a process that has ended', async () => {
    const at = await folder();
    const path = join(at, 'tokens.json');
    const running: string[] = [];
    const act = (name: string) => async () => {
      running.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      running.push(`${name} ends`);
    };
    await Promise.all([fileStore(path).lock?.('k', act('a')), fileStore(path).lock?.('k', act('b'))]);
    expect(running.map((line) => line.split(' ')[0])).toSatisfy(
      ([a, b, c, d]: string[]) => a === b && c === d && a !== c,
    );
    await fileStore(path).lock?.('k', async () => {
      const [lock = ''] = await readdir(at);
      expect((await stat(join(at, lock))).mode & 0o777).toBe(0o600);
      // The number of no process.
      await writeFile(join(at, lock), '4194305');
      await fileStore(path).lock?.('k', act('c'));
    });
    expect(running.at(-1)).toBe('c ends');
  });

  it('lets one at a time take a lock whose process has ended, also in the middle of such a removal', async () => {
    const at = await folder();
    const path = join(at, 'tokens.json');
    const ended = spawn(process.execPath, ['-e', '']);
    await once(ended, 'exit');
    await fileStore(path).lock?.('k', async () => {
      const [lock = ''] = await readdir(at);
      for (const name of [lock, `${lock}.removal`]) await writeFile(join(at, name), String(ended.pid));
      let inside = 0;
      let most = 0;
      const act = async (): Promise<void> => {
        most = Math.max(most, (inside += 1));
        await new Promise((resolve) => setImmediate(resolve));
        inside -= 1;
      };
      await Promise.all(Array.from({ length: 5 }, () => fileStore(path).lock?.('k', act)));
      expect(most).toBe(1);
    });
    expect(await readdir(at)).toEqual([]);
  });

  it('takes the lock of a process that holds it for longer than a sign-in or a write lasts', async () => {
    const at = await folder();
    const store = fileStore(join(at, 'tokens.json'));
    const age = async (file: string, seconds: number): Promise<void> => {
      const then = Date.now() / 1_000 - seconds;
      await utimes(join(at, file), then, then);
    };
    let isTaken = false;
    await store.lock?.('k', async () => {
      const [lock = ''] = await readdir(at);
      await age(lock, 361);
      await store.lock?.('k', async () => void (isTaken = await Promise.resolve(true)));
    });
    expect(isTaken).toBe(true);
    await writeFile(join(at, 'tokens.json.write.lock'), String(process.pid));
    await age('tokens.json.write.lock', 11);
    await store.set('a', '1');
    expect(await readdir(at)).toEqual(['tokens.json']);
  });

  it('does not wait forever for a lock, nor remove that of another', async () => {
    const file = join(await folder(), 'tokens.json.lock');
    const later = Date.now() / 1_000 + 3_600;
    await expect(
      withFileLock(file, 60_000, async () => {
        await utimes(file, later, later);
        await withFileLock(file, 100, () => Promise.resolve());
      }),
    ).rejects.toMatchObject({ code: 'STORE_FAILED', message: expect.stringContaining(file) as string });
    await withFileLock(file, 60_000, () => writeFile(file, `${process.pid} another`));
    expect(await readFile(file, 'utf8')).toBe(`${process.pid} another`);
  });

  it('rejects where it cannot write, and names the file', async () => {
    const at = await folder();
    await chmod(at, 0o500);
    // Permissions are nothing to root, whose read-only place is this one.
    const path = join(process.getuid?.() === 0 ? '/proc/self' : at, 'tokens.json');
    const store = fileStore(path);
    expect(await store.get('a')).toBeUndefined();
    await expect(store.set('a', '1')).rejects.toMatchObject({
      code: 'STORE_FAILED',
      message: expect.stringContaining(path) as string,
    });
  });

  it.each([
    ['{', /is not JSON: repair it/],
    ['[]', /is not a store of @rxmcp\/auth/],
    ['{"version":2,"entries":{}}', /was written by a later version/],
  ])('does not overwrite a file that it cannot use: %s', async (text, reason) => {
    const path = join(await folder(), 'tokens.json');
    await writeFile(path, text);
    const store = fileStore(path);
    const failure = { code: 'STORE_FAILED', message: expect.stringMatching(reason) as string };
    await expect(store.get('a')).rejects.toMatchObject(failure);
    await expect(store.set('a', '1')).rejects.toMatchObject(failure);
    expect(await readFile(path, 'utf8')).toBe(text);
  });
});
