import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { namedIn } from '../reliability/named.js';
import { badInput, faults, type Row } from '../reliability/register.js';
import { repository } from '../repository.js';
import { table, tracked } from './sources.js';

/** Returns the page of the reliability register: each promise, with the test files that are named after it. */
export function reliabilityPage(): string {
  const tests = testedRows();
  const lines = (kind: 'row' | 'fault', rows: readonly Row[]): string[][] =>
    rows.map(([number, input, promise]) => [
      String(number),
      input,
      promise,
      (tests.get(`${kind} ${String(number)}`) ?? [])
        .map((path) => `[${name(path)}](../../${path})`)
        .join(', '),
    ]);
  return [
    '# Reliability register',
    'Generated from `apps/e2e/test/reliability/register.ts` and from the titles of tests by ' +
      '`pnpm --filter @rxmcp/app-e2e run reference`. Do not edit.',
    'Each row says what happens with bad input, and each fault what the library promises when something fails. In every case the ' +
      'error or the counted fault is typed and names the offending thing, the connection continues unless the row says otherwise, and no ' +
      'other caller is affected. Every row has tests named after it (`row 12: ...`, `fault 3: ...`).',
    'Over HTTP the server answers a body that is not a valid message with status 400 and the JSON-RPC code of its row. "HTTP" ' +
      'means Streamable HTTP and HTTP+SSE. Numbers are never reused, so there are gaps.',
    '## Bad input',
    table(['row', 'input', 'behaviour', 'tests'], lines('row', badInput)),
    '## Faults',
    table(['fault', 'event', 'promise', 'tests'], lines('fault', faults)),
  ].join('\n\n');
}

/** Returns the test files that name each row in a title, by `row 12` and `fault 3`. */
export function testedRows(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const path of tracked('**/*.test.ts')) {
    // That file shows titles as examples.
    if (path.endsWith('reliability/rows.test.ts')) continue;
    for (const row of namedIn(readFileSync(join(repository, path), 'utf8'))) {
      found.set(row, [...(found.get(row) ?? []), path]);
    }
  }
  return found;
}

/** Returns the package and the file, as in `http/pressure`. */
function name(path: string): string {
  const [, pkg = ''] = /(?:packages(?:\/transports|\/primitives)?|apps)\/([^/]+)\//.exec(path) ?? [];
  return `${pkg}/${basename(path, '.test.ts')}`;
}
