import { timerMs } from '@rxmcp/transport';

/** Waits for a promise, but not longer than `ms`. */
export async function within(promise: Promise<unknown>, ms: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const bound = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timerMs(ms));
  });
  await Promise.race([promise, bound]);
  clearTimeout(timer);
}
