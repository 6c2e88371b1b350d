import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { absoluteLinks } from '../../../../scripts/finish-package.mjs';
import { isBuiltin } from '../boundaries/import-rules.js';
import { packageName } from '../boundaries/layers.js';
import { importsOf } from '../boundaries/syntax.js';
import { publicPackages } from '../public-packages.js';
import { repository } from '../repository.js';
import { contentsOf } from './contents.js';

const root = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
  readonly repository: { readonly url: string };
  readonly engines: object;
};
const base = root.repository.url.replace(/^git\+|\.git$/g, '');
const folder = mkdtempSync(join(tmpdir(), 'rxmcp-contents-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const packages = publicPackages().map((pkg) => ({ ...pkg, ...contentsOf(pkg, folder), at: pkg.folder }));
const link = /\]\(([^)\s]+)\)/g;

/** What npm and its readers see of a package. Needs a build. */
describe.each(packages)('the tarball of $manifest.name', ({ manifest, files, at, tarballBytes }) => {
  it('says what it is and where it comes from', () => {
    expect(manifest).toMatchObject({
      homepage: `${base}/tree/main/${at}#readme`,
      bugs: { url: `${base}/issues` },
      repository: { type: 'git', url: root.repository.url, directory: at },
      license: 'MIT',
      engines: root.engines,
      publishConfig: { access: 'public', provenance: true },
    });
    expect(manifest.description).toMatch(/\bMCP\b|Model Context Protocol/);
    expect(manifest.keywords).toEqual(
      expect.arrayContaining(['mcp', 'model-context-protocol', 'rxjs', 'typescript']),
    );
    expect(new Set(manifest.keywords).size).toBe(manifest.keywords?.length);
  });

  it('has the licence, a README and nothing but built files', () => {
    expect(files.get('LICENSE')).toBe(readFileSync(join(repository, 'LICENSE'), 'utf8'));
    const others = [...files.keys()].filter((name) => !/^dist\/.*(\.d\.ts|\.js)$/.test(name)).sort();
    const bundled = manifest.name === 'rxmcp' ? ['dist/bin/THIRD-PARTY-NOTICES'] : [];
    expect(others).toEqual(['LICENSE', 'README.md', ...bundled, 'package.json']);
  });

  it('takes newer versions of the packages of others, so that a fix needs no release', () => {
    const ranges = Object.entries(manifest.dependencies ?? {}).filter(
      ([name]) => !name.startsWith('@rxmcp/'),
    );
    expect(ranges.filter(([, range]) => !range.startsWith('^'))).toEqual([]);
  });

  it('has a README with absolute links', () => {
    const targets = [...(files.get('README.md') ?? '').matchAll(link)].map(([, target = '']) => target);
    expect(targets.filter((target) => !/^(https?:|#)/.test(target))).toEqual([]);
  });

  it('declares what it imports', () => {
    const declared = { ...manifest.dependencies, ...manifest.peerDependencies, [manifest.name]: '' };
    const undeclared = [...files]
      .filter(([name]) => /\.(js|d\.ts)$/.test(name) && !name.startsWith('dist/bin/'))
      .flatMap(([, text]) => importsOf(text))
      .filter((specifier) => !/^[.#]/.test(specifier) && !isBuiltin(specifier))
      .filter((specifier) => !(packageName(specifier) in declared));
    expect(undeclared).toEqual([]);
  });

  it('is smaller than its limit', () => {
    expect(tarballBytes).toBeLessThan(limitOf(manifest.name));
  });
});

it('the program of `rxmcp` has the licences of what it contains', () => {
  const own = packages.find(({ manifest }) => manifest.name === 'rxmcp');
  const licenses = own?.files.get('dist/bin/THIRD-PARTY-NOTICES') ?? '';
  const named = [...licenses.matchAll(/^(\S+) \d+\.\d+\.\d+ \(.+\)$/gm)].map(([, name]) => name);
  expect(named).toEqual(
    expect.arrayContaining(['csv-parse', 'fastest-levenshtein', 'jsonc-parser', 'mime', 'rxjs', 'zod']),
  );
  expect(licenses).toContain('Apache License');
});

/** For each package; `rxmcp` has the program for the command line, with chat, OAuth and the reference server. */
function limitOf(name: string): number {
  return { '@rxmcp/core': 170_000, '@rxmcp/transport': 84_000, rxmcp: 232_000 }[name] ?? 60_000;
}

it('what `npm i rxmcp` installs of this project has at most 2.78 MB', () => {
  const apart = ['@rxmcp/testing', '@rxmcp/transport-tck'];
  const installed = packages.filter(({ manifest }) => !apart.includes(manifest.name));
  expect(installed.reduce((sum, { unpackedBytes }) => sum + unpackedBytes, 0)).toBeLessThan(2_780_000);
});

describe('links of a README', () => {
  const source = join(repository, 'packages/core');
  const links = (markdown: string): string =>
    absoluteLinks(markdown, source, { url: 'git+https://example.com/a/b.git', directory: 'packages/core' });

  it('point to files and folders of the repository', () => {
    expect(links('[a](../../docs/streams.md#x), [b](../transport), [c](../transport#errors)')).toBe(
      '[a](https://example.com/a/b/blob/main/docs/streams.md#x), [b](https://example.com/a/b/tree/main/packages/transport), ' +
        '[c](https://example.com/a/b/tree/main/packages/transport#errors)',
    );
  });

  it('stay as they are if absolute, on the page or in code', () => {
    const text = '[a](https://b.c/d) [e](#f) [g](mailto:h@i.j)\n\n```js\n[k](../l)\n```\n';
    expect(links(text)).toBe(text);
  });

  it('must have a target', () => {
    expect(() => links('[a](../nothing.md)')).toThrow(
      'README.md links to ../nothing.md, which does not exist',
    );
  });
});
