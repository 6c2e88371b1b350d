import { vi } from 'vitest';

/*
 * What a test waits for comes at once, unless the machine is busy: tests look for it each 5 ms, and not each 50 as the runner does,
 * and the limit is one for what hangs, as that of a whole test, and not the second that the runner gives.
 */

const patient = Symbol.for('rxmcp.patient');
const defaults = { timeout: 60_000, interval: 5 };

type Waiting = typeof vi & { [patient]?: true };

// Files of one worker share the runner.
if ((vi as Waiting)[patient] !== true) {
  const { waitFor, waitUntil } = vi;
  vi.waitFor = (callback, options) => waitFor(callback, patiently(options));
  vi.waitUntil = (callback, options) => waitUntil(callback, patiently(options));
  (vi as Waiting)[patient] = true;
}

function patiently(options: Parameters<typeof vi.waitFor>[1]): Parameters<typeof vi.waitFor>[1] {
  return typeof options === 'number' ? { ...defaults, timeout: options } : { ...defaults, ...options };
}
