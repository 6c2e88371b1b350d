import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../repository.js';
import type { Clause } from './clause.js';

/** The folder whose tests cite entries. */
export const citingFolder = 'apps/e2e/spec';

/** The ids that stand in the source of a test, each once. */
export function citedIn(source: string): Set<string> {
  return new Set([...source.matchAll(/'(\d\d\/[a-z-]+\/\d+)'/g)].map(([, id]) => id as string));
}

/** All ids that tests cite, each with the files that do. */
export function citations(root: string = repository): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const folder = join(root, citingFolder);
  if (!existsSync(folder)) return found;
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!file.endsWith('.test.ts')) continue;
    for (const id of citedIn(readFileSync(join(folder, file), 'utf8'))) {
      found.set(id, [...(found.get(id) ?? []), `${citingFolder}/${file}`]);
    }
  }
  return found;
}

/** Splits `path#rest`; what a path has is never a hash sign. */
export function parted(reference: string): { readonly path: string; readonly rest: string } {
  const at = reference.indexOf('#');
  return { path: reference.slice(0, at), rest: reference.slice(at + 1) };
}

/** What is wrong with the tests elsewhere that an entry names. */
export function wrongTests({ shownBy = [] }: Clause): string[] {
  return shownBy.filter((reference) => {
    const { path, rest } = parted(reference);
    const file = join(repository, path);
    return !existsSync(file) || rest === '' || !readFileSync(file, 'utf8').includes(rest);
  });
}

/** What is wrong with the line that an entry names: it is to be there once. */
export function wrongGuard({ guards }: Clause, root: string = repository): string | undefined {
  if (guards === undefined) return undefined;
  const { path, rest } = parted(guards);
  const file = join(root, path);
  if (rest === '' || !existsSync(file)) return `${guards}: no such file`;
  const times = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.includes(rest)).length;
  return times === 1 ? undefined : `${guards}: on ${times} lines`;
}
