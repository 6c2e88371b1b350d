import { inOwnProcess } from '../../../../vitest.process.js';

/** What a client that reads a flood found. */
export interface Flooded {
  readonly messages: number;
  /** The most memory that it took, in MiB. */
  readonly grownMiB: number;
  /** How the connection ended. */
  readonly code: string;
  readonly signal: string | null;
}

/** What a client that answers a flood of requests found. */
export interface Answered {
  readonly asked: number;
  readonly grownMiB: number;
  readonly code: string;
  /** What closing it took. */
  readonly signals: readonly string[];
}

/** Reads a flood of the peer. */
export function flooded(mode: string, maxMessageBytes: number, argument = 0): Promise<Flooded> {
  const client = new URL('./fixtures/flood-client.ts', import.meta.url);
  return inOwnProcess(client, mode, maxMessageBytes, argument);
}

/** Answers a flood of requests of a child that does not read. */
export function answered(writeTimeoutMs: number): Promise<Answered> {
  return inOwnProcess(new URL('./fixtures/answering-client.ts', import.meta.url), writeTimeoutMs);
}
