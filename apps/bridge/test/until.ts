/** Waits until a condition holds; rejects after `withinMs`, 60 s. */
export async function until(condition: () => boolean, withinMs = 60_000): Promise<void> {
  const end = Date.now() + withinMs;
  while (!condition()) {
    if (Date.now() > end) throw new Error(`never held: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
