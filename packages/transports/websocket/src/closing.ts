const stepMs = 1_000;
const maxSteps = 4;

/**
 * Waits for a socket that is closing while it gets on: 4 s in all, 2 s for the answer of the other side, 1 s where what waits
 * for it does not become less. Resolves with whether it has gone.
 *
 * @param left Becomes less with what is taken; 0 where nothing waits.
 */
export async function hasGone(gone: Promise<void>, left: () => number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let before = left();
  for (let step = 1; step <= maxSteps; step += 1) {
    const pause = new Promise<false>((resolve) => {
      timer = setTimeout(resolve, stepMs, false);
    });
    const isGone = await Promise.race([gone.then(() => true), pause]);
    clearTimeout(timer);
    if (isGone) return true;
    const now = left();
    if (now === before && (now > 0 || step > 1)) return false;
    before = now;
  }
  return false;
}
