import { mkdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { run } from './commands.js';

const require = createRequire(import.meta.url);

/**
 * Puts into a folder what npm installs there with `--legacy-peer-deps`: the named packages and, for those of this repository,
 * their dependencies, without peers. Takes a fortieth of npm's time. Packages of others are links to those of the workspace.
 */
export async function unpack(
  names: readonly string[],
  tarballs: ReadonlyMap<string, string>,
  folder: string,
): Promise<void> {
  const installed = new Set<string>();
  const queue = [...names];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (installed.has(name)) continue;
    installed.add(name);
    const place = join(folder, 'node_modules', name);
    const tarball = tarballs.get(name);
    mkdirSync(tarball === undefined ? dirname(place) : place, { recursive: true });
    if (tarball === undefined) {
      symlinkSync(realpathSync(dirname(require.resolve(`${name}/package.json`))), place, 'junction');
      continue;
    }
    await run('tar', ['-xzf', tarball, '--strip-components=1'], place);
    const { dependencies = {} } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as {
      dependencies?: Record<string, string>;
    };
    queue.push(...Object.keys(dependencies));
  }
}
