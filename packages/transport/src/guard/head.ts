/** What a listener sees of a request before anything runs. */
export interface RequestHead {
  readonly method: string;
  /** Path and query as they came. */
  readonly target: string;
  /** It came over TLS. */
  readonly secure: boolean;
  /** Every value of a header, in the order they came; the name in lower case. */
  values(name: string): readonly string[];
}

/** The names under which a machine reaches itself. The address that means "all of them" is none. */
export const loopbackNames: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];
