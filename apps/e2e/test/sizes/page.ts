import { join } from 'node:path';
import { repository } from '../repository.js';
import { programs, type Size } from './measure.js';

export const page = join(repository, 'docs', 'reference', 'sizes.md');
export const command = 'pnpm --filter @rxmcp/app-e2e sizes';

/** A size may differ from the page by this share of it, or by {@link toleranceBytes} if that is more. */
export const toleranceShare = 0.02;
export const toleranceBytes = 100;

export function isWithin(measured: number, written: number): boolean {
  return Math.abs(measured - written) <= Math.max(toleranceBytes, written * toleranceShare);
}

/** The text of the page for what was measured. */
export function pageOf(measuredPrograms: readonly Size[], entryPoints: readonly Size[]): string {
  const limits = new Map(programs.map(({ name, limit }) => [name, String(limit)]));
  return `# Sizes

Bytes of bundles that esbuild makes from the sources: minified, and then compressed with gzip. A test measures them again. It
fails if a size differs from this page by more than ${String(toleranceShare * 100)} % and more than ${String(toleranceBytes)} bytes, or if a program exceeds its limit.
\`${command}\` writes this page.

## Programs

rxjs is included unless the name says otherwise.

${table(
  ['program', 'minified', 'gzipped', 'limit'],
  measuredPrograms.map((size) => [...cells(size), limits.get(size.name) ?? '']),
)}

## Entry points

Everything that an entry point exports, with all imports except peer dependencies. A program that uses a part of it is smaller.

${table(
  ['entry point', 'minified', 'gzipped'],
  entryPoints.map((size) => cells({ ...size, name: `\`${size.name}\`` })),
)}
`;
}

/** The sizes that a page states. */
export function sizesIn(text: string): readonly Size[] {
  return [...text.matchAll(/^\| `?(.+?)`? +\| +(\d+) \| +(\d+) \|/gm)].map(([, name, minified, gzipped]) => ({
    name: String(name),
    minified: Number(minified),
    gzipped: Number(gzipped),
  }));
}

function cells({ name, minified, gzipped }: Size): readonly string[] {
  return [name, String(minified), String(gzipped)];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`;
  const rule = widths.map((width, column) =>
    column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [head, rule, ...rows].map(line).join('\n');
}
