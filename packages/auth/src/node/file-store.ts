import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AuthError } from '../client/errors.js';
import type { AuthStore } from '../client/store.js';
import { withFileLock } from './file-lock.js';

const version = 1;
/** Longest times for a write and for a sign-in, in which a person has 5 minutes. */
const writeMs = 10_000;
const signInMs = 360_000;

/**
 * Creates a store in a file that only its owner may read. Several processes may use it: one of them signs in to a server at a
 * time, and the others use what it got, for at most 6 minutes. Rejects with STORE_FAILED for a file that cannot be used, and never
 * overwrites one.
 */
export function fileStore(path: string): AuthStore {
  const failed = (what: string, cause?: unknown): AuthError =>
    new AuthError('STORE_FAILED', `${JSON.stringify(path)} ${what}`, { cause });

  const read = async (): Promise<Record<string, string>> => {
    let text: string;
    try {
      const file = await open(path);
      try {
        const { uid, mode } = await file.stat();
        // Who can write it chooses where tokens and assertions are sent. Windows has neither.
        const own = process.getuid?.();
        if (own !== undefined && uid !== own)
          throw failed(`belongs to another user (uid ${uid}): remove it, or pass another path`);
        if (own !== undefined && (mode & 0o022) !== 0)
          throw failed(
            `can be written by other users (mode ${(mode & 0o777).toString(8)}): check what it has, and run chmod 600`,
          );
        text = await file.readFile('utf8');
      } finally {
        await file.close();
      }
    } catch (cause) {
      if (AuthError.is(cause)) throw cause;
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

  const locked = <T>(name: string, limitMs: number, action: () => Promise<T>): Promise<T> =>
    withFileLock(`${path}.${name}.lock`, limitMs, action);

  return {
    get: async (key) => (await read())[key],
    set: (key, text) => locked('write', writeMs, () => write(key, text)),
    lock: (key, action) => locked(createHash('sha256').update(key).digest('hex'), signInMs, action),
  };
}
