/** Waits until a condition holds; rejects after 3 s. */
export async function until(condition: () => boolean): Promise<void> {
  const end = Date.now() + 3_000;
  while (!condition()) {
    if (Date.now() > end) throw new Error(`never held: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
