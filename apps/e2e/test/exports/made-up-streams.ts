/** A module of streams that say their kind and of others that do not, next to what was built of core. */
export const madeUpStreams = `
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
