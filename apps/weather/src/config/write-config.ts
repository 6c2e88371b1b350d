import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { jsonError } from './json-error.js';
import { isObject, type ServerEntry, textOfConfig, withServer } from './server-entry.js';

/** The error for a config that cannot be read, merged or written. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** What became of the file. */
export type Written = 'created' | 'changed' | 'unchanged';

/**
 * Adds an entry to the `mcpServers` of a config. All other content of the file stays, and `FILE.bak` is a copy of the previous one. A missing file is
 * created with its folders. Readers see the previous or the new file, never a part.
 *
 * @throws ConfigError that names the file, which is unchanged then
 */
export async function writeConfig(given: string, name: string, entry: ServerEntry): Promise<Written> {
  const file = resolve(given);
  try {
    const before = await contentOf(file);
    if (before === undefined) {
      await mkdir(dirname(file), { recursive: true });
      await replace(file, textOfConfig(withServer(name, entry)), 0o600);
      return 'created';
    }
    const config = objectOf(before);
    const after = withServer(name, entry, config);
    if (JSON.stringify(after) === JSON.stringify(config)) return 'unchanged';
    await copyFile(file, `${file}.bak`);
    // The file may be a link to another folder, and may have secrets that other users must not read.
    const target = await realpath(file);
    await replace(target, textOfConfig(after), (await stat(target)).mode & 0o777);
    return 'changed';
  } catch (cause) {
    throw new ConfigError(
      `write of config "${file}" failed: ${(cause as Error).message}. The file is unchanged`,
      { cause },
    );
  }
}

async function contentOf(file: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function objectOf(content: Uint8Array): Record<string, unknown> {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(content);
  let config: unknown;
  try {
    config = JSON.parse(text);
  } catch {
    const { line, column } = jsonError(text);
    throw new SyntaxError(`invalid JSON at line ${line}, column ${column}. Correct it first`);
  }
  if (!isObject(config))
    throw new TypeError(`it must be a JSON object, not ${JSON.stringify(config)?.slice(0, 40)}`);
  return config;
}

async function replace(file: string, text: string, mode: number): Promise<void> {
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    const handle = await open(temporary, 'wx', mode);
    try {
      await handle.chmod(mode);
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
