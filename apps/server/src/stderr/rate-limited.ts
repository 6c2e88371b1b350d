/** How many records one window takes; what is left out is only counted. */
const perWindow = 20;
const windowMs = 10_000;

/**
 * Writes records of lines, at most 20 within 10 s: whoever floods the server must not flood its log. What was left out is
 * counted, and told when the window ends.
 */
export function rateLimited(write: (text: string) => void): (lines: readonly string[]) => void {
  let written = 0;
  let left = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ended = (): void => {
    timer = undefined;
    written = 0;
    if (left > 0) write(`(${left} more faults within ${windowMs / 1_000} s were left out)\n`);
    left = 0;
  };
  return (lines) => {
    if (timer === undefined) {
      timer = setTimeout(ended, windowMs);
      // The log keeps nobody alive.
      timer.unref();
    }
    if (written < perWindow) {
      written += 1;
      write(`${lines.join('\n')}\n`);
    } else left += 1;
  };
}
