/** A connected client and server in one process. */
export interface Link {
  /** Calls the tool `echo`; gives what it said. */
  call(text: string): Promise<string>;
  /** How many tools the server lists. */
  count(): Promise<number>;
}
