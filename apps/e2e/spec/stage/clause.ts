import { it } from 'vitest';

/** A test that shows requirements: each id is one of the manifest, see `test/manifest/README.md`. */
export function clause(
  ids: string | readonly string[],
  title: string,
  run: () => Promise<void> | void,
): void {
  it(`${title} [${[ids].flat().join(' ')}]`, run);
}
