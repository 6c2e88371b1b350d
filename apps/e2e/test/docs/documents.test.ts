import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tracked } from '../reference/sources.js';
import { repository } from '../repository.js';

const documents = tracked('**/*.md').filter((path) => !path.startsWith('.changeset/'));
const read = (path: string): string => readFileSync(join(repository, path), 'utf8');

describe('every document', () => {
  it.each(documents)('%s links only to files and headings that exist', (path) => {
    for (const [target, file, anchor] of linksOf(path)) {
      expect(existsSync(join(repository, file)), `${path}: ${target}`).toBe(true);
      if (anchor === '') continue;
      const page = statSync(join(repository, file)).isDirectory() ? join(file, 'README.md') : file;
      expect(anchorsOf(read(page)), `${path}: ${target}`).toContain(anchor);
    }
  });
});

describe('ARCHITECTURE.md', () => {
  const named = /`((?:core|jsonrpc|transport|primitives|transports)\/[\w/-]+\.ts)`/g;
  const files = [...read('ARCHITECTURE.md').matchAll(named)].map(([, file = '']) => file);

  it('names files of the steps of a request', () => {
    expect(files.length).toBeGreaterThan(5);
  });

  it.each([...new Set(files)])('names %s, which exists', (file) => {
    expect(existsSync(join(repository, 'packages', file))).toBe(true);
  });
});

describe('a document is as short as CONTRIBUTING.md says', () => {
  const readmes = documents.filter((path) => /^(?:packages\/.*\/)?README\.md$/.test(path));
  it.each(readmes)('%s has at most 150 lines', (path) => {
    expect(read(path).trimEnd().split('\n').length).toBeLessThanOrEqual(150);
  });

  it.each([
    ['ARCHITECTURE.md', 15],
    ['CONTRIBUTING.md', 10],
  ])('%s has at most %i KB', (path, most) => {
    expect(Buffer.byteLength(read(path))).toBeLessThanOrEqual(most * 1_024);
  });
});

describe('a page is read for', () => {
  it('the anchors of its headings', () => {
    expect([...anchorsOf('# One, two\n\n## `three(four)` and _five_\n\n```sh\n# none\n```\n')]).toEqual([
      'one-two',
      'threefour-and-five',
    ]);
  });
});

/** Returns the relative links of a document outside of code: the target, its path from the root, and its anchor. */
function linksOf(path: string): (readonly [target: string, file: string, anchor: string])[] {
  const text = read(path)
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .replaceAll(/`[^`\n]*`/g, '');
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)$/gm)].map(([, a, b]) => a ?? b ?? '');
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [file = '', anchor = ''] = target.split('#');
      return [target, file === '' ? path : join(dirname(path), file), anchor] as const;
    });
}

/** Returns the anchors that GitHub gives to the headings of a page. */
function anchorsOf(text: string): Set<string> {
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '');
  const headings = [...prose.matchAll(/^#{1,6} (.*)$/gm)].map(([, heading = '']) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/(?<!\w)_|_(?!\w)/g, '')
        .replaceAll(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
}
