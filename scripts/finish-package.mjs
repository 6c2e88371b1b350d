// What differs between a package in the checkout and the package on npm: links of the README are absolute, and declarations that no
// entry point reaches are not there.
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

const branch = 'main';

/**
 * Finishes an unpacked package.
 * @param {string} folder the unpacked package
 * @param {string} source the folder of the same package in the checkout
 */
export function finishPackage(folder, source) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const readme = join(folder, 'README.md');
  writeFileSync(readme, absoluteLinks(readFileSync(readme, 'utf8'), source, manifest.repository));
  removeUnreachable(folder, manifest);
}

/**
 * Returns Markdown whose relative links point into the repository.
 * @param {string} markdown
 * @param {string} source the folder that the links are relative to
 * @param {{ url: string, directory: string }} repository as in a package.json
 * @throws an Error for a link to a file that does not exist
 */
export function absoluteLinks(markdown, source, repository) {
  const base = repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
  const root = resolve(source, relative(join('/', repository.directory), '/'));
  const absolute = (target) => {
    const [path, anchor] = target.split(/(?=#)/);
    const file = resolve(source, path);
    if (!existsSync(file)) throw new Error(`README.md links to ${target}, which does not exist`);
    const kind = statSync(file).isDirectory() ? 'tree' : 'blob';
    return `${base}/${kind}/${branch}/${relative(root, file).split(sep).join('/')}${anchor ?? ''}`;
  };
  // Every second part is a block of code.
  const parts = markdown.split(/(^```[\s\S]*?^```$)/m);
  const isRelative = /\]\((?![a-z][a-z+.-]*:|#)([^)\s]+)\)/g;
  return parts
    .map((part, at) => (at % 2 === 1 ? part : part.replace(isRelative, (_, to) => `](${absolute(to)})`)))
    .join('');
}

/** Removes declarations that no entry point refers to: no program can name what they declare. */
function removeUnreachable(folder, { exports }) {
  const files = readdirSync(join(folder, 'dist'), { recursive: true }).map((name) =>
    join(folder, 'dist', name),
  );
  const reached = new Set();
  const queue = Object.values(exports).flatMap(({ types }) => (types ? [join(folder, types)] : []));
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (reached.has(file) || !existsSync(file)) continue;
    reached.add(file);
    for (const [, path] of readFileSync(file, 'utf8').matchAll(/["'](\.{1,2}\/[^"']+)\.js["']/g))
      queue.push(join(dirname(file), `${path}.d.ts`));
  }
  for (const file of files) if (file.endsWith('.d.ts') && !reached.has(file)) rmSync(file);
}
