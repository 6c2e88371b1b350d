import { createHash, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AuthError } from '../client/errors.js';
import type { AuthStore } from '../client/store.js';

const version = 1;
const pollMs = 50;

/**
 * Creates a store in a file that only its owner may read. Several processes may use it: one of them signs in to a server at a
 * time, and the others use what it got. Rejects with STORE_FAILED for a file that cannot be used, and never overwrites one.
 */
export function fileStore(path: string): AuthStore {
  const failed = (what: string, cause?: unknown): AuthError =>
    new AuthError('STORE_FAILED', `${JSON.stringify(path)} ${what}`, { cause });

  const read = async (): Promise<Record<string, string>> => {
    let text: string;
    try {
      text = await readFile(path, 'utf8');
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return {};
      throw failed('cannot be read', cause);
    }
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (cause) {
      throw failed('is not JSON: repair it, or remove it to sign in anew', cause);
    }
    const { version: found, entries } = Object(value) as { version?: unknown; entries?: unknown };
    if (typeof found === 'number' && found > version)
      throw failed(`was written by a later version of @rxmcp/auth (${found}): update this program`);
    if (typeof found !== 'number' || typeof entries !== 'object' || entries === null)
      throw failed('is not a store of @rxmcp/auth: pass another path');
    return entries as Record<string, string>;
  };

  const write = async (key: string, text: string | undefined): Promise<void> => {
    const { [key]: _, ...rest } = await read();
    const entries = text === undefined ? rest : { ...rest, [key]: text };
    const next = `${path}.${randomUUID()}`;
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeFile(next, JSON.stringify({ version, entries }, undefined, 2), { mode: 0o600 });
      await rename(next, path);
    } catch (cause) {
      await rm(next, { force: true }).catch(() => undefined);
      throw failed('cannot be written', cause);
    }
  };

  const locked = async <T>(name: string, action: () => Promise<T>): Promise<T> => {
    const file = `${path}.${name}.lock`;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 }).catch(() => undefined);
    while (!(await taken(file, failed))) await delay(pollMs);
    try {
      return await action();
    } finally {
      await rm(file, { force: true });
    }
  };

  return {
    get: async (key) => (await read())[key],
    set: (key, text) => locked('write', () => write(key, text)),
    lock: (key, action) => locked(createHash('sha256').update(key).digest('hex').slice(0, 16), action),
  };
}

/** Takes a lock: a file with the number of the process. That of a process that has ended is removed. */
async function taken(file: string, failed: (what: string, cause: unknown) => AuthError): Promise<boolean> {
  if (await created(file, failed)) return true;
  if (await isAbandoned(file)) {
    // One process at a time removes a lock, and looks again first: another may have removed it and taken a new one.
    const removal = `${file}.removal`;
    if (await created(removal, failed)) {
      if (await isAbandoned(file)) await rm(file, { force: true });
      await rm(removal, { force: true });
    } else if (await isAbandoned(removal)) await rm(removal, { force: true });
  }
  return false;
}

/** Creates a file with the number of the process, or finds that there is one. It is never seen without its content. */
async function created(file: string, failed: (what: string, cause: unknown) => AuthError): Promise<boolean> {
  const complete = `${file}.${randomUUID()}`;
  try {
    await writeFile(complete, String(process.pid), { mode: 0o600 });
    await link(complete, file);
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw failed('cannot be locked', cause);
    return false;
  } finally {
    await rm(complete, { force: true });
  }
}

async function isAbandoned(file: string): Promise<boolean> {
  const owner = Number(await readFile(file, 'utf8').catch(() => ''));
  return owner > 0 && !isAlive(owner);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
