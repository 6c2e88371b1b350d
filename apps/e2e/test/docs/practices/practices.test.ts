import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repository } from '../../repository.js';
import { docs, pageNamed } from '../page.js';
import { asked } from './asked.js';
import { calledIn, rowsOf } from './row.js';

const rows = rowsOf(pageNamed('practices.md').text);

/** The names of the values that public packages export. */
function exported(): Set<string> {
  const folder = join(repository, 'apps/e2e/test/exports/names');
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return new Set(
    files.flatMap((file) => {
      const entries = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<
        string,
        { values: string[] }
      >;
      return Object.values(entries).flatMap(({ values }) => values);
    }),
  );
}

// Functions of others, and those that a reader writes or is handed, which the page calls.
const others = new Set(['execFile', 'switchMap', 'approve']);

describe('the practices that the guides name', () => {
  it.each(Object.entries(asked))('%s: each has its row, in the order of the guides', (heading, practices) => {
    const found = rows.filter((row) => row.heading === heading);
    expect(found.map(({ practice }) => practice)).toEqual(practices);
  });

  it('are under the headings of the guides, in their order, and no other', () => {
    expect([...new Set(rows.map(({ heading }) => heading))]).toEqual(Object.keys(asked));
  });

  it.each(rows)('$heading: "$practice" states what to do, and names a test that shows it', ({ todo, shown }) => {
    expect(todo).not.toBe('');
    expect(todo.length).toBeLessThan(240);
    expect(shown).not.toEqual([]);
    for (const { title, file } of shown) {
      expect(file).toMatch(/\.test\.[jt]s$/);
      expect(existsSync(join(docs, file)), file).toBe(true);
      expect(titles(readFileSync(join(docs, file), 'utf8')), `${file}: ${title}`).toContain(title);
    }
  });

  const names = exported();
  it.each(rows)('$heading: "$practice" names existing functions', ({ todo }) => {
    for (const name of calledIn(todo)) expect(names.has(name) || others.has(name), name).toBe(true);
  });
});

describe('a page is parsed', () => {
  const page = '# P\n\n## One\n\n| practice | what to do | shown by |\n| --- | --- | --- |\n';

  it('row by row', () => {
    expect(rowsOf(`${page}| a | b \`c \\| d\` | [t [x] y](../f.test.ts), [u](g.test.js) |\n`)).toEqual([
      {
        heading: 'One',
        practice: 'a',
        todo: 'b `c | d`',
        shown: [
          { title: 't [x] y', file: '../f.test.ts' },
          { title: 'u', file: 'g.test.js' },
        ],
      },
    ]);
  });

  it('for the functions that it calls', () => {
    expect(calledIn('not(this) but `f(a.g(), new H(), h(1))`')).toEqual(['f', 'h']);
  });
});

/** The lines of a source that hold the titles of its tests: quoted, where a test or a table of tests has its name. */
function titles(source: string): string {
  const named = /(?:\b(?:it|test|describe|each)\(|\)\()\s*(['"`][^\n]*)/g;
  return [...source.matchAll(named)].map(([, line = '']) => line.replaceAll("\\'", "'")).join('\n');
}
