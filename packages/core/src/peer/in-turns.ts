import { loopTurns } from '@rxmcp/transport/internal';

/**
 * Does the steps of a generator in turns of the event loop that it shares with others, one generator of a holder after
 * the other. Resolves with what the generator returns.
 */
export function inTurns<T>(holder: string, steps: Iterator<void, T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const go = (): void => {
      try {
        for (;;) {
          const { done, value } = steps.next();
          if (done === true) return resolve(value);
          if (!loopTurns.hasTime()) return loopTurns.run(holder, go, 'unshift');
        }
      } catch (error) {
        reject(error as Error);
      }
    };
    loopTurns.run(holder, go);
  });
}
