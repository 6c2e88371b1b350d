import process from 'node:process';
import type { ServeHandle } from 'rxmcp/transport';

const signals = { SIGTERM: 143, SIGINT: 130 } as const;

/**
 * Ends the process with 0 once it is told to stop and running work is done, 25 s later at most. Told a second time it ends at
 * once. `ended` stops it as a signal does.
 */
export function untilStopped(parts: readonly ServeHandle[], ended: Promise<void> | undefined): void {
  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    void Promise.all(parts.map((part) => part.drain())).then(() => process.exit(0));
  };
  for (const [signal, code] of Object.entries(signals)) {
    process.on(signal, () => {
      if (stopping) process.exit(code);
      stop();
    });
  }
  void ended?.then(stop);
}
