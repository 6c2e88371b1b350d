import { onTestFinished, vi } from 'vitest';

/** The signals that this process sends from now on, in order; asking whether a process lives is no signal. */
export function signalsSent(): readonly (string | number)[] {
  const signals: (string | number)[] = [];
  const { kill } = process;
  const spy = vi.spyOn(process, 'kill').mockImplementation((pid, signal = 'SIGTERM') => {
    if (signal !== 0) signals.push(signal);
    return kill.call(process, pid, signal);
  });
  onTestFinished(() => spy.mockRestore());
  return signals;
}
