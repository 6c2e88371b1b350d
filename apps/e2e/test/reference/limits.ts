import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fixedLimits, type FixedLimit } from './fixed-limits.js';
import { memoryAccounts } from './memory-accounts.js';
import { plain, sources, table, type Source } from './sources.js';

/** Tools for tests limit themselves, not what a program does. */
const excluded = new Set(['@rxmcp/transport-tck', '@rxmcp/testing']);
/** Options with a number as their default that bound nothing. */
const unbounded = new Set(['port', 'rpcCode', 'seed']);

interface Option {
  readonly name: string;
  readonly owner: string;
  readonly standard: string;
  readonly says: string;
}

/** Returns the page of limits: the options with their defaults, then the values that cannot be changed. */
export function limitsPage(): string {
  const all = sources();
  const exported = exportedNames();
  const packages = [...new Set(all.map(({ pkg }) => pkg))].filter((name) => !excluded.has(name)).sort();
  const options = packages.flatMap((name) => {
    const found = all
      .filter(({ pkg }) => pkg === name)
      .flatMap(optionsIn)
      .filter(({ owner }) => exported.has(owner));
    if (found.length === 0) return [];
    const rows = found.map(({ name: option, owner, standard, says }) => [
      `\`${option}\``,
      `\`${owner}\``,
      standard,
      says,
    ]);
    return [`### ${name}\n\n${table(['option', 'of', 'default', 'meaning'], rows)}`];
  });
  const fixed = fixedLimits.map((limit) => [
    limit.says,
    fixedValue(all, limit),
    limit.beyond,
    `\`${limit.pkg}\``,
  ]);
  return [
    '# Limits',
    'Generated from the sources by `pnpm --filter @rxmcp/app-e2e run reference`. Do not edit.',
    'Every buffer, table and wait has a limit. Names that end in `Ms` are milliseconds, those in `Bytes` bytes.',
    '## Fixed limits',
    table(['limit', 'value', 'beyond it', 'package'], fixed),
    memoryAccounts(),
    '## Options',
    ...options,
  ].join('\n\n');
}

/** Returns the names that users can import, as the snapshots of test/exports have them: options of other types cannot be passed. */
function exportedNames(): ReadonlySet<string> {
  const folder = join(import.meta.dirname, '../exports/names');
  const texts = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
  return new Set(texts.flatMap((text) => [...text.matchAll(/"(\w+)"/g)].map(([, name = '']) => name)));
}

/** Returns the options of a source that bound something, with the interface that has them. */
export function optionsIn({ text }: Pick<Source, 'text'>): Option[] {
  const owners = [...text.matchAll(/\b(?:interface|type|class) (\w+)/g)];
  const members = text.matchAll(
    /\/\*\*((?:(?!\*\/)[\s\S])*@default(?:(?!\*\/)[\s\S])*)\*\/\s*(?:readonly )?(\w+)\??:/g,
  );
  return [...members].flatMap((match) => {
    const [, comment = '', name = ''] = match;
    const [says = '', standard = ''] = plain(comment).split(/\s*@default\s*/);
    const bounds = /^max|(?:Ms|Bytes|Chars)$/.test(name) || /^`?(?:\d|Infinity)/.test(standard);
    if (!bounds || unbounded.has(name)) return [];
    const owner = owners.filter(({ index }) => index < match.index).at(-1)?.[1] ?? '';
    return [{ name, owner, standard: grouped(standard), says: says.replace(/\.$/, '') }];
  });
}

/** Returns the value of the constant behind a fixed limit, in its unit. */
function fixedValue(all: readonly Source[], limit: FixedLimit): string {
  const found = all
    .filter(({ pkg, path }) => pkg === limit.pkg && path.includes(limit.within ?? ''))
    .flatMap(({ text }) => {
      const value = new RegExp(`\\bconst ${limit.constant} = ([\\d_]+(?: \\* [\\d_]+)*);`).exec(text)?.[1];
      return value === undefined ? [] : [value];
    });
  const [value] = found;
  if (value === undefined || found.length > 1) {
    throw new Error(
      `The limit "${limit.says}" needs one constant "${limit.constant}" in ${limit.pkg}, found ${found.length}. ` +
        'Correct its entry in apps/e2e/test/reference/fixed-limits.ts.',
    );
  }
  const number = value
    .replaceAll('_', '')
    .split(' * ')
    .reduce((product, factor) => product * Number(factor), 1);
  return inUnit(number, limit.unit);
}

function inUnit(value: number, unit: FixedLimit['unit']): string {
  if (unit === 'ms' && value >= 60_000 && value % 60_000 === 0) return `${String(value / 60_000)} min`;
  if (unit === 'ms' && value >= 1_000 && value % 1_000 === 0) return `${String(value / 1_000)} s`;
  if (unit === 'bytes' && value >= 1_048_576) return `${String(value / 1_048_576)} MiB`;
  if (unit === 'bytes' && value >= 1_024) return `${String(value / 1_024)} KiB`;
  return unit === undefined ? grouped(String(value)) : `${grouped(String(value))} ${unit}`;
}

/** Writes the thousands of a number apart, as in 10,000. */
function grouped(text: string): string {
  return text.replaceAll(/\b\d[\d_]{3,}\b(?!-)/g, (digits) =>
    Number(digits.replaceAll('_', '')).toLocaleString('en'),
  );
}
