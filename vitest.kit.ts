/**
 * Timeouts for the transport conformance kit where every rule holds: they only end what hangs, so a busy machine reaches none
 * of them. The defaults of the kit are short because authors wait for them while a rule is broken.
 */
export const generousTimeouts = {
  stepTimeoutMs: 60_000,
  closeTimeoutMs: 60_000,
  ruleTimeoutMs: 150_000,
  lossMs: 20_000,
} as const;
