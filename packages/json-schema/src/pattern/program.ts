/** Returns whether a character, as a code point, is in a set. */
export interface CharSet {
  (code: number): boolean;
  /** How often it may have to ask the engine, which takes about as long as a step. */
  readonly asks?: number;
}

/** One step of a program. Those that go on elsewhere name the number of the step. */
export type Step =
  | { readonly op: 'char'; readonly is: CharSet; readonly asks: number }
  | { readonly op: 'split'; first: number; second: number }
  | { readonly op: 'jump'; to: number }
  | { readonly op: 'edge'; readonly edge: Edge }
  | { readonly op: 'look'; readonly ahead: Program; readonly wanted: boolean }
  | { readonly op: 'match' };

/** What a pattern may ask of a place between characters. */
export type Edge = 'start' | 'end' | 'word' | 'no-word';

/** A pattern, ready. */
export interface Program {
  readonly steps: readonly Step[];
  /** It can begin at the start of a text only. */
  readonly anchored: boolean;
}

/** Most steps of all patterns of one schema. Repetitions are unrolled, so programs are larger than their patterns. */
export const maxSteps = 20_000;

/** The error for a rejected pattern. */
export class UnsupportedPatternError extends Error {}

/** A pattern as a tree. */
export type Tree =
  | { readonly kind: 'char'; readonly is: CharSet }
  | { readonly kind: 'edge'; readonly edge: Edge }
  | { readonly kind: 'row'; readonly parts: readonly Tree[] }
  | { readonly kind: 'either'; readonly parts: readonly Tree[] }
  | { readonly kind: 'look'; readonly inner: Tree; readonly wanted: boolean }
  | { readonly kind: 'repeat'; readonly inner: Tree; readonly least: number; readonly most: number };
