import { onTestFinished } from 'vitest';

/** What would end the process: unhandled rejections and uncaught exceptions while a test runs. */
export function crashes(): unknown[] {
  const seen: unknown[] = [];
  const note = (error: unknown): void => void seen.push(error);
  const events = ['unhandledRejection', 'uncaughtException'] as const;
  const before = events.map((event) => process.listeners(event as never));
  for (const event of events) process.removeAllListeners(event).on(event, note);
  onTestFinished(() => {
    events.forEach((event, i) => {
      process.removeAllListeners(event);
      for (const listener of before[i] ?? []) process.on(event, listener as never);
    });
  });
  return seen;
}
