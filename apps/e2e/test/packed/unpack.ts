import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { run } from './commands.js';

const require = createRequire(import.meta.url);
/** The folder in which each tarball is unpacked once, by the tarball. */
export type Unpacked = Map<string, Promise<string>>;

/**
 * Puts into a folder what npm installs there with `--legacy-peer-deps`: the named packages and, for those of this repository,
 * their dependencies, without peers. Takes a fortieth of npm's time. Packages of others are links to those of the workspace.
 *
 * @param unpacked What other folders with the same parent have. Each file is a link to one of these.
 */
export async function unpack(
  names: readonly string[],
  tarballs: ReadonlyMap<string, string>,
  folder: string,
  unpacked: Unpacked = new Map(),
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
    const source = unpacked.get(tarball) ?? unpackOnce(tarball, folder);
    unpacked.set(tarball, source);
    linkFiles(await source, place);
    const { dependencies = {} } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as {
      dependencies?: Record<string, string>;
    };
    queue.push(...Object.keys(dependencies));
  }
}

async function unpackOnce(tarball: string, folder: string): Promise<string> {
  const place = mkdtempSync(join(folder, 'tarball-'));
  await run('tar', ['-xzf', tarball, '--strip-components=1'], place);
  return place;
}

function linkFiles(from: string, to: string): void {
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const folder = join(to, relative(from, entry.parentPath));
    mkdirSync(folder, { recursive: true });
    linkSync(join(entry.parentPath, entry.name), join(folder, entry.name));
  }
}
