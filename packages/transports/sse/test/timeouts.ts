import type { RegisterTest, VerifyOptions } from '@rxmcp/transport-tck';
import { test } from 'vitest';

/*
 * Two thousand messages are as many requests here, one after the other: a second of work, and more where others work too.
 */
export const patience: VerifyOptions = {
  stepTimeoutMs: 20_000,
  closeTimeoutMs: 20_000,
  ruleTimeoutMs: 45_000,
};

/** `test`, with the time that {@link timeouts} may take. */
export const patient: RegisterTest = (name, run) => test(name, { timeout: 50_000 }, run);
