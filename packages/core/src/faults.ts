/** Something that went wrong and ended nothing: a bad frame, a throwing handler, a dropped message. */
export interface Fault {
  /** Stable UPPER_SNAKE code. */
  readonly code: string;
  readonly message: string;
  readonly cause?: unknown;
  /** The number that a general error text of a handler refers to. */
  readonly reference?: string;
  /** It is worth knowing and no trouble: told to who watches, and not printed where nobody does. @default false */
  readonly quiet?: boolean;
}
