import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { isBuilt, noteBuilt, staleFiles } from '../../../../scripts/built.mjs';

const folder = mkdtempSync(join(tmpdir(), 'rxmcp-stale-'));
afterEach(() => rmSync(folder, { recursive: true }));

test('files that another build left in a dist are found, with the declarations of removed modules', () => {
  const write = (file: string): void => writeFileSync(join(folder, file), '');
  for (const part of ['src/server', 'dist/server']) mkdirSync(join(folder, part), { recursive: true });
  for (const file of ['src/server/serve.ts', 'dist/server/serve.js', 'dist/chunk-A.js']) write(file);
  noteBuilt(folder);
  write('dist/server/serve.d.ts');
  expect([staleFiles(folder), isBuilt(folder)]).toEqual([[], true]);

  for (const file of ['dist/chunk-B.js', 'dist/server/removed.d.ts']) write(file);
  expect([staleFiles(folder), isBuilt(folder)]).toEqual([
    ['dist/chunk-B.js', 'dist/server/removed.d.ts'],
    false,
  ]);
});

test('a dist that lacks a file of its build is not built', () => {
  mkdirSync(join(folder, 'src'), { recursive: true });
  mkdirSync(join(folder, 'dist'));
  for (const file of ['src/index.ts', 'dist/index.js']) writeFileSync(join(folder, file), '');
  noteBuilt(folder);
  rmSync(join(folder, 'dist/index.js'));
  expect(isBuilt(folder)).toBe(false);
});
