import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../repository.js';
import { errorsPage } from './errors.js';
import { limitsPage } from './limits.js';
import { reliabilityPage } from './reliability.js';
import { sources } from './sources.js';

const rules = 'docs/reference/transport-rules.md';

/** The generated pages, by their paths from the root of the repository. */
export const generatedPages: Readonly<Record<string, () => string>> = {
  'docs/reference/errors.md': () => `${errorsPage()}\n`,
  'docs/reference/limits.md': () => `${limitsPage()}\n`,
  'docs/reference/reliability.md': () => `${reliabilityPage()}\n`,
  [rules]: rulesPage,
};

/** Returns the page of transport rules with the sentences of the kit. A test of the kit says which rows are missing or too many. */
function rulesPage(): string {
  const kit = sources().filter(({ pkg }) => pkg === '@rxmcp/transport-tck');
  const says = new Map(
    kit.flatMap(({ text }) =>
      [...text.matchAll(/\bid: '([\w/-]+)',\s+description:\s+(?:'([^'\n]*)'|"([^"\n]*)"|`([^`\n]*)`)/g)].map(
        ([, id = '', single, double, back]) => [id, single ?? double ?? back ?? ''] as const,
      ),
    ),
  );
  return readFileSync(join(repository, rules), 'utf8').replaceAll(
    /^\| `([\w/-]+)` \| (?!broken|\s)[^|]+? \|/gm,
    (row, id: string) => (says.has(id) ? `| \`${id}\` | ${says.get(id) ?? ''} |` : row),
  );
}
