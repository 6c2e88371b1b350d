import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { exits } from '../failure.js';
import { CheckError } from './check.js';

/** Resolves with the file that a command starts. Rejects with a CheckError. */
export async function findProgram(command: string, cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  const folders = /[\\/]/.test(command) ? [''] : (env['PATH'] ?? '').split(delimiter);
  const endings = process.platform === 'win32' ? ['', ...(env['PATHEXT'] ?? '.EXE;.CMD').split(';')] : [''];
  for (const folder of folders)
    for (const ending of endings) {
      const file = folder === '' ? resolve(cwd, command + ending) : join(folder, command + ending);
      if (await isExecutable(file)) return file;
    }
  throw new CheckError(
    `the program ${JSON.stringify(command)} was not found`,
    'Install it, or correct its name',
    exits.connection,
  );
}

function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
