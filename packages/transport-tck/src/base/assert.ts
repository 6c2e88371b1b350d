/** Fails with `message` unless `fact` holds. */
export function assert(fact: boolean, message: string): asserts fact {
  if (!fact) throw new Error(message);
}

/** Fails unless both are the same JSON value. */
export function equal(actual: unknown, expected: unknown, what: string): void {
  const seen = shown(actual);
  const wanted = shown(expected);
  if (seen !== wanted) throw new Error(`${what}: expected ${brief(wanted)}, saw ${brief(seen)}`);
}

/** One line of a value, cut to a readable length. */
export function brief(text: string, length = 160): string {
  return text.length <= length ? text : `${text.slice(0, length)}... (${text.length} characters)`;
}

function shown(value: unknown): string {
  return value === undefined ? 'undefined' : JSON.stringify(value);
}

/** The kit waited in vain. Rules that handle the rejections of a transport must not take it for one. */
export class WaitTimeout extends Error {
  override readonly name = 'WaitTimeout';
}

/** Returns what a promise rejects with, or `undefined` where it resolves. Rejects with the kit's own timeout. */
export async function rejectionOf(
  promise: Promise<unknown>,
): Promise<{ readonly error: unknown } | undefined> {
  try {
    await promise;
    return undefined;
  } catch (error) {
    if (error instanceof WaitTimeout) throw error;
    return { error };
  }
}

/** Skips a rule that turns out not to apply; the message is the reason. */
export class RuleSkipped extends Error {
  override readonly name = 'RuleSkipped';
}
