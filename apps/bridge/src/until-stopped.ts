import process from 'node:process';
import type { ServeHandle } from 'rxmcp/transport';

/** What ends, and how. */
export interface Running {
  readonly parts: readonly ServeHandle[];
  /** Resolves once nothing is left of what the parts accepted. */
  gone(): Promise<void>;
  /** Ends it as a signal does. */
  readonly ended?: Promise<void>;
  /** There is nothing to do without the parent process: it is looked for twice a second. */
  readonly needsParent: boolean;
  /** Of an end that was not forced. */
  exitCode(): number;
}

const signals = { SIGTERM: 143, SIGINT: 130 } as const;
const everyMs = 500;
const orphanedMs = 200;

/**
 * Ends the process once it is told to stop, running work is done, 25 s later at most, and what is behind the bridge had its time
 * to end. Told a second time it ends at once, and kills what is left.
 */
export function untilStopped({ parts, gone, ended, needsParent, exitCode }: Running): void {
  let stopping = false;
  const stop = async (withinMs?: number): Promise<void> => {
    if (stopping) return;
    stopping = true;
    await Promise.all(parts.map((part) => part.drain(withinMs === undefined ? {} : { withinMs })));
    await gone();
    process.exit(exitCode());
  };
  for (const [signal, code] of Object.entries(signals)) {
    process.on(signal, () => {
      if (stopping) process.exit(code);
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
