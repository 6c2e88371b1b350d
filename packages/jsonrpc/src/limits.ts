/** Bounds on the shape of incoming JSON; the bytes of a message are bounded where it is framed. */
export interface JsonLimits {
  /** How deep objects and arrays may nest. @default 128 */
  readonly maxDepth: number;
  /** How many values of any type one text may hold. @default 200_000 */
  readonly maxNodes: number;
}

/** The bounds that apply where none are given. */
export const defaultLimits: JsonLimits = Object.freeze({ maxDepth: 128, maxNodes: 200_000 });
