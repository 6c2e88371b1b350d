const everyMs = 500;

/**
 * Calls back once when the parent process has died, within half a second: the child then has another parent. The end of
 * input alone does not tell it where a sibling holds the same pipe open. Returns the way to stop watching.
 */
export function watchParent(orphaned: () => void): () => void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    orphaned();
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
