import type { CharSet, Edge } from './program.js';

/** A pattern as a tree. */
export type Tree =
  | { readonly kind: 'char'; readonly is: CharSet }
  | { readonly kind: 'edge'; readonly edge: Edge }
  | { readonly kind: 'row'; readonly parts: readonly Tree[] }
  | { readonly kind: 'either'; readonly parts: readonly Tree[] }
  | { readonly kind: 'look'; readonly inner: Tree; readonly wanted: boolean }
  | { readonly kind: 'repeat'; readonly inner: Tree; readonly least: number; readonly most: number };
