/** Values that a server suggests for an argument. */
export interface Completion {
  /** At most 100, the best first. */
  readonly values: readonly string[];
  /** How many there are in all. */
  readonly total?: number;
  /** Whether there are more than `values`. */
  readonly hasMore?: boolean;
}
