import type { Transport } from '../contract/contract.js';
import { mapConnections, delayConnection } from './delay-connection.js';
import { rejectUnknownOptions } from '../base/check-options.js';

/** Options of {@link chaos}. */
export interface ChaosOptions {
  /** The seed of the pseudo-random sequence: the same seed and the same messages give the same decisions. */
  readonly seed: number;
  /** Longest delay of one event, in milliseconds. @default 3 */
  readonly maxDelayMs?: number;
  /** Cuts each connection with `CONNECTION_LOST` at its n-th message, counted over both directions. @default never */
  readonly cutAfterMessages?: number;
  /** Closes the inner connection twice. @default true */
  readonly closesTwice?: boolean;
}

const knownOptions: Record<keyof ChaosOptions, true> = {
  seed: true,
  maxDelayMs: true,
  cutAfterMessages: true,
  closesTwice: true,
};

/**
 * Wraps a transport so that its events arrive in order but in random bursts and with random delays, for tests. Without
 * `cutAfterMessages` nothing is lost, so a test that passes with the transport must pass with this one.
 */
export function chaos(transport: Transport, options: ChaosOptions): Transport {
  rejectUnknownOptions('chaos', options, knownOptions);
  const { seed, maxDelayMs = 3, cutAfterMessages = Infinity, closesTwice = true } = options;
  const random = sequence(seed);
  return mapConnections('chaos', transport, (connection) => {
    let messages = 0;
    return delayConnection(connection, {
      // Half of the events arrive together with the previous one.
      delayMs: () => (random() < 0.5 ? 0 : Math.ceil(random() * maxDelayMs)),
      shouldCut: () => (messages += 1) >= cutAfterMessages,
      closesTwice,
    });
  });
}

/** Marsaglia's 32-bit xorshift: numbers from 0 to 1. */
function sequence(seed: number): () => number {
  let state = seed | 0 || 0x9e3779b9;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 0x1_0000_0000;
  };
}
