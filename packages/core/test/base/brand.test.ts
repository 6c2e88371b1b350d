import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { libraryVersion } from '../../src/base/brand.js';

it('errors are marked with the version of the package', () => {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  expect(libraryVersion).toBe((JSON.parse(manifest) as { version: string }).version);
});
