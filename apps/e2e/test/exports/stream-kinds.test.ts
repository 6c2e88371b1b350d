import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { publicPackages } from '../public-packages.js';
import { repository } from '../repository.js';
import { Exports } from './checker.js';
import { untaggedStreams } from './stream-kinds.js';

/** The stream contract in ARCHITECTURE.md: every public Observable says of which kind it is. Needs a build. */
describe('every public stream states its kind', () => {
  const files = publicPackages().flatMap(({ manifest, directory }) =>
    Object.entries(manifest.exports ?? {}).flatMap(([entry, target]) =>
      typeof target === 'string' || entry.endsWith('/internal')
        ? []
        : [join(directory, target['types'] ?? '')],
    ),
  );
  const file = join(repository, 'packages/core/dist/made-up.ts');
  let exports: Exports;
  beforeAll(() => {
    exports = new Exports([...files, file], new Map([[file, madeUp]]));
  });

  it('in the packages', () => {
    expect(files).toContain(join(repository, 'packages/core/dist/index.d.ts'));
    expect(untaggedStreams(exports, files)).toEqual([]);
  });

  it('or the check fails', () => {
    const where = 'packages/core/dist/made-up.ts has';
    expect(untaggedStreams(exports, [file])).toEqual([
      `Feed.all in ${where} no @stream`,
      `Feed.maybe$ in ${where} no @stream`,
      `Feed.misspelt$ in ${where} the unknown kind "satus"`,
      `Feed.now$ in ${where} no @stream`,
      `Hidden.found$ in ${where} no @stream`,
      `Made in ${where} no @stream`,
      `made in ${where} no @stream`,
      `operator in ${where} no @stream`,
      `plain.inner$ in ${where} no @stream`,
    ]);
  });
});

const madeUp = `
import type { BehaviorSubject, Observable } from 'rxjs';
import type { Interceptor, Subscribable } from './index.js';

/** Numbers. */
export declare function made(): Observable<number>;
/** Numbers. @stream call */
export declare function tagged(): Observable<number>;
export declare function operator(): <T>(source: Observable<T>) => Observable<T>;
export type Made = () => Observable<number>;

interface Hidden {
  readonly found$: Observable<number>;
}
export declare function hidden(): Hidden;
export declare const plain: { readonly inner$: Observable<number> };

export interface Stream extends Observable<number> {
  readonly live: boolean;
}
export declare class Feed {
  readonly maybe$: Observable<number> | undefined;
  /** @stream satus */
  readonly misspelt$: BehaviorSubject<number>;
  get now$(): Observable<number>;
  all(): Stream & { readonly length: number };
  /**
   * Said at length.
   *
   * @stream state, replays the last
   */
  readonly said$: Stream;
  private readonly own$: Observable<number>;
  readonly #own$: Observable<number>;
}

/** Made by users. */
export interface Options {
  readonly changes: Subscribable<unknown>;
  readonly around: Interceptor;
  onValue(values: Observable<number>): void;
}
`;
