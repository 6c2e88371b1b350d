import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../repository.js';

const heading = '## The official transports';

/** The rules that each column of the page of transport rules says are broken. */
export function brokenLaws(): ReadonlyMap<string, ReadonlySet<string>> {
  const page = readFileSync(join(repository, 'docs/reference/transport-rules.md'), 'utf8');
  const [, section = ''] = page.split(`${heading}\n`);
  const [head = '', , ...rows] = section.split('\n').filter((line) => line.startsWith('|'));
  const [, ...names] = cells(head);
  const broken = new Map(names.map((name) => [name, new Set<string>()]));
  for (const row of rows) {
    const [law = '', ...marks] = cells(row);
    if (!law.startsWith('`')) break;
    for (const [index, mark] of marks.entries()) {
      if (mark === 'broken') broken.get(names[index] ?? '')?.add(law.replaceAll('`', ''));
    }
  }
  return broken;
}

function cells(row: string): string[] {
  return row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}
