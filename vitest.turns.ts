const { setTimeout: realTimeout } = globalThis;

/**
 * Waits until something holds, on the real clock, whatever a test does to the clock; without a limit but that of the test. Looks each
 * 5 ms: a loop of turns would take the processor from what it waits for.
 */
export async function turnsUntil(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => void realTimeout(resolve, 5));
}
