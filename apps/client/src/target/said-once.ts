/** What a program says, told once: one that is started again begins with the same lines. */
export interface SaidOnce {
  readonly take: (line: string) => void;
  /** The program is started, or started again. */
  again(): void;
}

/** Passes lines on, but for those with which a program that is started again repeats what it said before. */
export function saidOnce(tell: (line: string) => void): SaidOnce {
  let before: readonly string[] = [];
  let now: string[] = [];
  let repeats = false;
  return {
    take(line) {
      repeats &&= line === before[now.length];
      if (now.length < maxLines) now.push(line);
      if (!repeats) tell(line);
    },
    again() {
      [before, now, repeats] = [now, [], true];
    },
  };
}

/** More of a program's first lines are not remembered. */
const maxLines = 100;
