import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { TransportError } from 'rxmcp';

/** Resolves with the file that a command starts. Rejects with the TransportError of starting it if it does not exist; starts nothing. */
export async function findProgram(command: string, env: NodeJS.ProcessEnv, cwd = '.'): Promise<string> {
  const folders = /[\\/]/.test(command) ? [''] : (env['PATH'] ?? '').split(delimiter);
  const endings = process.platform === 'win32' ? ['', ...(env['PATHEXT'] ?? '.EXE;.CMD').split(';')] : [''];
  let problem = 'ENOENT';
  for (const folder of folders)
    for (const ending of endings) {
      const file = folder === '' ? resolve(cwd, command + ending) : join(folder, command + ending);
      const failure = await access(file, constants.X_OK).catch((error: unknown) => error);
      if (failure === undefined) return file;
      if ((failure as NodeJS.ErrnoException).code === 'EACCES') problem = 'EACCES';
    }
  throw new TransportError('DIAL_FAILED', `cannot start ${JSON.stringify(command)}: ${problem}`);
}
