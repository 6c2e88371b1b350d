import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { exhaustive } from '../../../../vitest.exhaustive.js';
import { measureEntryPoints, measurePrograms, programs, type Size } from './measure.js';
import { command, isWithin, page, pageOf, sizesIn } from './page.js';

const written = sizesIn(readFileSync(page, 'utf8'));

/** A line for each size that differs from the page. */
function differences(measured: readonly Size[]): readonly string[] {
  return measured.flatMap(({ name, gzipped }) => {
    const was = written.find((size) => size.name === name)?.gzipped;
    return was !== undefined && isWithin(gzipped, was)
      ? []
      : [`"${name}" has ${String(gzipped)} bytes, the page says ${String(was)}. To rewrite it: ${command}`];
  });
}

it('no program is larger than its limit', async () => {
  const measured = await measurePrograms();
  const tooLarge = measured.filter(({ gzipped }, index) => gzipped > (programs[index]?.limit ?? 0));
  expect(tooLarge).toEqual([]);
  expect(differences(measured)).toEqual([]);
});

it('what is published is as small as the sources', async () => {
  const [client] = await measurePrograms(programs.slice(0, 1));
  const [published] = await measurePrograms(programs.slice(0, 1), 'dist');
  expect(published?.gzipped).toBeLessThan((client?.gzipped ?? 0) * 1.005);
});

// Bundles each entry point of each package; the programs above are made of the larger ones.
if (exhaustive)
  it('every entry point has the size that the page says', async () => {
    const measured = await measureEntryPoints();
    expect(differences(measured)).toEqual([]);
    const names = [...programs, ...measured].map(({ name }) => name);
    expect(written.map(({ name }) => name)).toEqual(names);
  });

it('a page is read as it is written', () => {
  const [program] = programs;
  const sizes = [program?.name ?? '', 'rxmcp/http'].map((name) => ({
    name,
    minified: 3_000,
    gzipped: 1_000,
  }));
  expect(sizesIn(pageOf(sizes.slice(0, 1), sizes.slice(1)))).toEqual(sizes);
});

it.each([
  [10_200, 10_000, true],
  [10_201, 10_000, false],
  [9_799, 10_000, false],
  [600, 500, true],
  [601, 500, false],
])('%i bytes measured of %i written: %s', (measured, was, within) => {
  expect(isWithin(measured, was)).toBe(within);
});
