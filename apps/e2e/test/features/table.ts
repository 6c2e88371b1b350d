import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { repository } from '../repository.js';

/** One row of a table of features: what is compared, what we have, and what others have. */
export interface Row {
  readonly feature: string;
  readonly ours: string;
  readonly official: string;
  readonly others: string;
  /** Where the cell of ours leads to: paths within the repository, or a word in place of one that leads nowhere. */
  readonly links: readonly string[];
}

/** The rows of all tables on a page whose first column is called "feature". */
export function rowsOf(page: string): Row[] {
  const text = readFileSync(join(repository, page), 'utf8');
  const targets = definitionsOf(text);
  const rows: Row[] = [];
  let within = false;
  for (const line of text.split('\n')) {
    const cells = line.startsWith('|') ? cellsOf(line) : undefined;
    if (cells === undefined) within = false;
    else if (cells[0] === 'feature') within = true;
    else if (within && !/^-+$/.test(cells[0] ?? '')) rows.push(rowOf(cells, page, targets));
  }
  return rows;
}

/** The names under which a page keeps addresses at its end. */
export function definitionsOf(text: string): Map<string, string> {
  return new Map([...text.matchAll(/^\[([^\]]+)\]: (\S+)$/gm)].map(([, name = '', to = '']) => [name, to]));
}

/** What is wrong with a file as a proof: empty where nothing is. */
export function problemsOf(file: string): string[] {
  if (!/^(apps|packages)\/.*\.test\.ts$/.test(file)) return ['is no test of this repository'];
  if (!existsSync(join(repository, file))) return ['is not there'];
  const text = readFileSync(join(repository, file), 'utf8');
  const problems: string[] = [];
  if (!/^\s*(?:(?:it|test)(?:\.each)?\b[(<]|await verifyApplicableRules\()/m.test(text))
    problems.push('has no test');
  if (/\b(?:it|test|describe)(?:\.\w+)*\.(?:skip|skipIf|runIf|todo|only|fails)\b/.test(text))
    problems.push('leaves tests out');
  return problems;
}

function rowOf(cells: readonly string[], page: string, targets: ReadonlyMap<string, string>): Row {
  const [feature = '', ours = '', official = '', others = ''] = cells;
  const links = [...ours.matchAll(/\[[^\]]+\](?:\[([^\]]+)\]|\(([^)]+)\))/g)].map(([, name, path]) => {
    const target = path ?? targets.get(name ?? '');
    if (target === undefined) return `[${String(name)}]`;
    return relative(repository, join(repository, dirname(page), target));
  });
  return { feature, ours, official, others, links };
}

function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}
