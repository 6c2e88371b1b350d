import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repository } from '../repository.js';
import { wrongDefaults } from './defaults.js';
import { codesOfClasses } from './errors.js';
import { optionsIn } from './limits.js';
import { generatedPages } from './pages.js';
import { sources } from './sources.js';

describe('the generated references', () => {
  it.each(Object.entries(generatedPages))(
    '%s is current; `pnpm --filter @rxmcp/app-e2e run reference` writes it',
    (path, page) => {
      expect(existsSync(join(repository, path))).toBe(true);
      expect(readFileSync(join(repository, path), 'utf8')).toBe(page());
    },
  );
});

describe('the documented defaults', () => {
  const all = sources();
  it.each([...new Set(all.map(({ pkg }) => pkg))])('are those of the code: %s', (pkg) => {
    expect(wrongDefaults(all.filter((source) => source.pkg === pkg))).toEqual([]);
  });

  it('differ where either is changed', () => {
    const text = `
      const most = 2 * 4;
      interface Bounds {
        /** @default 8 */
        readonly maxEntries?: number;
        /** @default 'none' */
        readonly name?: string;
        /** @default false */
        readonly strict?: boolean;
      }
      const f = ({ maxEntries = most, strict }: Bounds) => strict === true;
      const g = (bounds: Bounds) => bounds.name ?? 'none';`;
    expect(wrongDefaults([{ path: 'a.ts', text }])).toEqual([]);
    expect(wrongDefaults([{ path: 'a.ts', text: text.replace('2 * 4', '2 * 5') }])).toEqual([
      'maxEntries: documented as 8, but the code has 10',
    ]);
    expect(wrongDefaults([{ path: 'a.ts', text: text.replace("?? 'none'", "?? ''") }])).toEqual([
      'name: documented as none, but the code has ',
    ]);
  });
});

describe('a source is read for', () => {
  it('its options with defaults that bound something', () => {
    const text = `
      /** What bounds. */
      export interface Bounds {
        /** Longest wait, in milliseconds. @default 5_000 */
        readonly waitMs?: number;
        /** A name. @default 'none' */
        readonly name?: string;
        /**
         * Most entries.
         * @default as many as come
         */
        readonly maxEntries?: number;
      }`;
    expect(optionsIn({ text })).toEqual([
      { name: 'waitMs', owner: 'Bounds', standard: '5,000', says: 'Longest wait, in milliseconds' },
      { name: 'maxEntries', owner: 'Bounds', standard: 'as many as come', says: 'Most entries' },
    ]);
  });

  it('the codes of its errors, with their comments', () => {
    const text = `
export type OwnErrorCode =
  | 'FIRST' // one; two.
  | 'LAST'; // three

export type ShortErrorCode = 'A_B' | 'C';

export class LoneError extends Error {
  override readonly name = 'LoneError';
  readonly code = 'LONE';
}`;
    expect(codesOfClasses({ text, pkg: 'p' })).toEqual([
      { code: 'FIRST', of: 'OwnError', pkg: 'p', says: 'one; two' },
      { code: 'LAST', of: 'OwnError', pkg: 'p', says: 'three' },
      { code: 'A_B', of: 'ShortError', pkg: 'p', says: '' },
      { code: 'C', of: 'ShortError', pkg: 'p', says: '' },
      { code: 'LONE', of: 'LoneError', pkg: 'p', says: '' },
    ]);
  });
});
