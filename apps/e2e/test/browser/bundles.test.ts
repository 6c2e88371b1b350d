import { join } from 'node:path';
import { expect, it } from 'vitest';
import { publicPackages } from '../public-packages.js';
import { bundleAll, gzipBytes } from './bundle.js';

interface Root {
  readonly name: string;
  readonly file: string;
}

/** Every entry of every package, but those that say Node by their name, and stdio. */
const roots: readonly Root[] = publicPackages().flatMap(({ manifest, directory }) =>
  Object.entries(manifest.exports ?? {}).flatMap(([key, target]) => {
    const file = typeof target === 'string' ? undefined : target['@rxmcp/source'];
    const name = `${String(manifest.name)}${key.slice(1)}`;
    const isNode = /\/node(\/internal)?$/.test(key) || /^@?rxmcp\/stdio\b/.test(name);
    return file === undefined || isNode ? [] : [{ name, file: join(directory, file) }];
  }),
);

it('an import that a browser cannot follow is reported', async () => {
  const code = `import { readFileSync } from 'node:fs'; console.log(readFileSync);`;
  await expect(gzipBytes(code)).rejects.toThrow('entry.js: Could not resolve "node:fs"');
});

it('the roots exist', () => {
  const names = roots.map(({ name }) => name);
  const some = ['rxmcp', 'rxmcp/http', '@rxmcp/sse', '@rxmcp/websocket', '@rxmcp/message-port', 'rxmcp/url'];
  expect(names).toEqual(expect.arrayContaining(some));
  expect(names.filter((name) => /node$|stdio/.test(name))).toEqual([]);
});

it('each is bundled for browsers without Node', async () => {
  const bundles = await bundleAll(roots.map(({ file }) => file));
  expect(bundles.map(({ length }) => length > 0)).toEqual(roots.map(() => true));
});
