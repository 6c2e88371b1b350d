import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as TypeScript from 'typescript-api';
import { repository } from '../repository.js';

// The root's TypeScript has a JavaScript API; the version that type-checks the packages has none.
const ts = createRequire(`${repository}/package.json`)('typescript') as typeof TypeScript;

/** A row of a table of slips, as a program: it exports the row as `row`, typed as TypeScript users would write it. */
export interface Slip {
  readonly title: string;
  readonly program: string;
}

/**
 * Reads the tables of slips next to this file: the calls `it.each([[title, () => slip, message], ...])` of `*slips*.test.ts`. The tables let
 * through what TypeScript rejects; the casts that do so are removed.
 */
export function slips(): Slip[] {
  const names = readdirSync(import.meta.dirname).filter((name) => /slips.*\.test\.ts$/.test(name));
  return names.sort().flatMap((name) => slipsOf(readFileSync(join(import.meta.dirname, name), 'utf8')));
}

function slipsOf(text: string): Slip[] {
  const typed = text
    .replaceAll(/\brxmcp as unknown as [^;]+;/g, 'rxmcp;')
    .replaceAll(/\((\w+) as NonNullable<typeof \1>\)/g, '$1')
    .replaceAll('?.(', '(')
    .replaceAll(' as never', '');
  const source = ts.createSourceFile('slips.ts', typed, ts.ScriptTarget.Latest, true);
  const isOfTests = (statement: TypeScript.Statement): boolean =>
    ts.isExpressionStatement(statement) || /from 'vitest';$/.test(statement.getText());
  const header = source.statements
    .filter((statement) => !isOfTests(statement))
    .map((statement) => statement.getText());
  return source.statements.flatMap(rowsOf).map(({ title, row }) => ({
    title,
    program: [...header, `export const row: [string, () => unknown, string] = ${row};`, ''].join('\n'),
  }));
}

/** The rows of `it.each(ROWS)(title, test)`. */
function rowsOf(statement: TypeScript.Statement): { readonly title: string; readonly row: string }[] {
  if (!ts.isExpressionStatement(statement) || !ts.isCallExpression(statement.expression)) return [];
  const table = statement.expression.expression;
  if (!ts.isCallExpression(table)) return [];
  const [rows] = table.arguments;
  if (rows === undefined || !ts.isArrayLiteralExpression(rows)) return [];
  return rows.elements.flatMap((row) => {
    if (!ts.isArrayLiteralExpression(row)) return [];
    const [title, slip] = row.elements;
    if (title === undefined || slip === undefined) return [];
    if (!ts.isStringLiteralLike(title) || !ts.isArrowFunction(slip)) return [];
    return [{ title: title.text, row: row.getText() }];
  });
}
