import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AuthError } from '../client/errors.js';

const pollMs = 50;

/**
 * Runs an action while a file is this process's lock. Waits at most `limitMs` for it, and rejects with STORE_FAILED then. A lock
 * that is older, or whose process has ended, is abandoned: it is removed.
 */
export async function withFileLock<T>(file: string, limitMs: number, action: () => Promise<T>): Promise<T> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 }).catch(() => undefined);
  const own = `${process.pid} ${randomUUID()}`;
  for (let waitedMs = 0; !(await taken(file, own, limitMs)); waitedMs += pollMs) {
    if (waitedMs >= limitMs)
      throw new AuthError(
        'STORE_FAILED',
        `${JSON.stringify(file)} is locked for more than ${limitMs} ms by another process: remove this file if no other process uses it`,
      );
    await delay(pollMs);
  }
  try {
    return await action();
  } finally {
    // It may have been abandoned, and be that of another process now.
    if ((await contentOf(file)) === own) await rm(file, { force: true });
  }
}

async function taken(file: string, own: string, limitMs: number): Promise<boolean> {
  if (await created(file, own)) return true;
  if (await isAbandoned(file, limitMs)) {
    // One process at a time removes a lock, and looks again first: another may have removed it and taken a new one.
    const removal = `${file}.removal`;
    if (await created(removal, own)) {
      if (await isAbandoned(file, limitMs)) await rm(file, { force: true });
      await rm(removal, { force: true });
    } else if (await isAbandoned(removal, limitMs)) await rm(removal, { force: true });
  }
  return false;
}

/** Creates a file that begins with the number of the process, or finds that there is one. It is never seen without its content. */
async function created(file: string, own: string): Promise<boolean> {
  const complete = `${file}.${randomUUID()}`;
  try {
    await writeFile(complete, own, { mode: 0o600 });
    await link(complete, file);
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw new AuthError('STORE_FAILED', `${JSON.stringify(file)} cannot be created`, { cause });
  } finally {
    await rm(complete, { force: true });
  }
}

async function isAbandoned(file: string, limitMs: number): Promise<boolean> {
  const since = await stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  );
  if (since === undefined) return false;
  const owner = Number.parseInt(await contentOf(file), 10);
  return Date.now() - since > limitMs || (owner > 0 && !isAlive(owner));
}

const contentOf = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
