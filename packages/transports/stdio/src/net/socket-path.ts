import { chmod, lstat, unlink } from 'node:fs/promises';
import { connect } from 'node:net';

/** Removes what a killed server left at a path: a socket that nobody listens at. Anything else is left alone. */
export async function clearPath(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const found = await lstat(path).catch(() => undefined);
  if (found?.isSocket() === true && !(await isServed(path))) await unlink(path);
}

/** Lets nobody but this user connect. */
export async function ownPath(path: string): Promise<void> {
  if (process.platform !== 'win32') await chmod(path, 0o600);
}

function isServed(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'ECONNREFUSED'));
  });
}
