import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repository } from '../../repository.js';
import { register } from './register.js';
import { calledIn, rowsOf } from './row.js';

const practices = register.flatMap(([heading, page, listed]) =>
  listed.map(({ practice, shown }) => ({ heading, page, practice, shown })),
);
const pages = [...new Set(practices.map(({ page }) => page))];
const rows = new Map(pages.map((page) => [page, rowsOf(readFileSync(join(repository, page), 'utf8'))]));

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

// Functions of others, and those that a reader writes or receives, which the pages call.
const others = new Set(['execFile', 'switchMap', 'approve']);

describe('the practices that the guides ask for', () => {
  const names = exported();

  it.each(practices)(
    '$heading: "$practice" has one row in $page that calls what exists',
    ({ page, practice }) => {
      const found = rows.get(page)?.filter((row) => row.practice === practice) ?? [];
      expect(found).toHaveLength(1);
      const [{ todo } = { todo: '' }] = found;
      expect(todo).not.toBe('');
      expect(todo.length).toBeLessThan(240);
      for (const name of calledIn(todo)) expect(names.has(name) || others.has(name), name).toBe(true);
    },
  );

  it.each(practices)('$heading: "$practice" has a test that shows it', ({ shown }) => {
    expect(shown).not.toEqual([]);
    for (const [title, file] of shown) {
      expect(file).toMatch(/\.test\.[jt]s$/);
      expect(existsSync(join(repository, file)), file).toBe(true);
      expect(titles(readFileSync(join(repository, file), 'utf8')), `${file}: ${title}`).toContain(title);
    }
  });

  it.each(pages)('%s has no row that the register lacks', (page) => {
    const known = practices.filter((one) => one.page === page).map(({ practice }) => practice);
    expect(rows.get(page)?.map(({ practice }) => practice)).toEqual(known);
  });
});

describe('a page is read', () => {
  it('for the rows of its tables of practices', () => {
    const page =
      '| a | b |\n| - | - |\n| 1 | 2 |\n\n| practice | what to do |\n| --- | --- |\n| c | d `e \\| f` |\n\n| g | h |\n';
    expect(rowsOf(page)).toEqual([{ practice: 'c', todo: 'd `e | f`' }]);
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
