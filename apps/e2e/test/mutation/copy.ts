import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { repository } from '../repository.js';

/**
 * Copies the working tree, with what it has installed and built, to a new folder that is removed when the process exits.
 *
 * @returns The folder.
 */
export function copyOfTree(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'rxmcp-mutation-')));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
  const packages = new Set<string>();
  for (const file of filesOfTree()) {
    const from = join(repository, file);
    // Git still lists a file that is deleted and not yet committed.
    if (!existsSync(from)) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(from, join(folder, file));
    if (file.endsWith('/package.json')) packages.add(dirname(file));
  }
  // Tests list the sources with git.
  for (const shared of ['node_modules', '.git']) symlinkSync(join(repository, shared), join(folder, shared));
  for (const one of packages) {
    for (const made of ['node_modules', 'dist']) {
      const from = join(repository, one, made);
      if (existsSync(from))
        cpSync(from, join(folder, one, made), { recursive: true, verbatimSymlinks: true });
    }
  }
  return folder;
}

function filesOfTree(): string[] {
  const args = ['ls-files', '-co', '--exclude-standard'];
  return execFileSync('git', args, { cwd: repository, encoding: 'utf8' }).trim().split('\n');
}
