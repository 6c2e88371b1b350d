import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtFolders, isBuilt, isPacked } from './scripts/built.mjs';

const root = fileURLToPath(new URL('.', import.meta.url));

/** Before tests of what was built: throws where a `dist` or a tarball is not of the present sources. */
export function setup(): void {
  const folders = builtFolders();
  say(
    folders.filter((folder) => !isBuilt(folder)),
    'The dist of',
    'npm run build',
  );
  say(
    folders.filter((folder) => !folder.startsWith(join(root, 'apps')) && !isPacked(folder)),
    'The tarball of',
    'npm run pack',
  );
}

function say(stale: readonly string[], what: string, command: string): void {
  if (stale.length === 0) return;
  const names = stale.map((folder) => folder.slice(root.length)).join(', ');
  const error = new Error(`${what} ${names} is stale or missing: run \`${command}\``);
  // The runner fails to read the stack of a set-up that it has from its cache, and then shows no message.
  error.stack = error.message;
  throw error;
}
