import process from 'node:process';
import type { Serving } from './serving.js';

const signals = { SIGTERM: 143, SIGINT: 130 } as const;
const everyMs = 500;
const orphanedMs = 200;

/** How a program that serves ends. */
export interface StopOptions {
  /** Whether to stop when the parent process ends: that is checked twice a second. @default false */
  readonly needsParent?: boolean;
  /** The exit code of an end that was not forced. @default 0 */
  exitCode?(): number;
}

/**
 * Ends the process after a signal, or when the client on standard input and output has disconnected, once running work is done, at most
 * 25 s later. A second signal ends it immediately.
 */
export function untilStopped({ drain, ended }: Serving, options: StopOptions = {}): void {
  const { needsParent = false, exitCode = () => 0 } = options;
  let isStopping = false;
  const stop = async (timeoutMs?: number): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    await drain(timeoutMs === undefined ? {} : { timeoutMs });
    process.exit(exitCode());
  };
  for (const [signal, code] of Object.entries(signals)) {
    process.on(signal, () => {
      if (isStopping) process.exit(code);
      void stop();
    });
  }
  void ended?.then(() => stop());
  if (!needsParent) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid !== parent) void stop(orphanedMs);
  }, everyMs);
  watch.unref();
}
