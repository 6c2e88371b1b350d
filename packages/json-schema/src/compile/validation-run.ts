import { maxNesting } from '../schema/options.js';

/** One thing that is wrong with a value, and where. */
export interface ValidationIssue {
  readonly message: string;
  readonly path: readonly (string | number)[];
  /** The value was not looked at to its end: by this, nothing is known to be wrong with it. */
  readonly code?: 'BUDGET_EXCEEDED';
}

/** More issues do not help the reader. */
const maxIssues = 10;

/** A check ran out of its steps, or went too deep. */
export class BudgetExceededError extends Error {}

/** One check of one value: what it may still cost, where it is, and what it found. */
export class ValidationRun {
  readonly issues: ValidationIssue[] = [];
  readonly path: (string | number)[] = [];
  /** The schemas that led here, by resource, for references that are resolved late. */
  readonly scope: string[] = [];
  /** The keys of large objects that were looked at. */
  readonly keys = new Map<object, readonly string[]>();
  #left: number;
  #silent = 0;
  #nesting = 0;

  constructor(private readonly maxSteps: number) {
    this.#left = maxSteps;
  }

  /** Charges steps. Throws BudgetExceededError when none are left. */
  spend(steps: number): void {
    if ((this.#left -= steps) < 0)
      throw new BudgetExceededError(
        `was not checked to its end, which takes more than ${this.maxSteps} steps`,
      );
  }

  enter(): void {
    if (++this.#nesting > maxNesting)
      throw new BudgetExceededError(`was not checked to its end, which is deeper than ${maxNesting} schemas`);
  }

  leave(): void {
    this.#nesting -= 1;
  }

  /** Records an issue; always returns false. A message given as a function is built only if the issue is kept. */
  wrong(message: string | (() => string)): false {
    if (this.looking)
      this.issues.push({
        message: typeof message === 'string' ? message : message(),
        path: [...this.path],
      });
    return false;
  }

  /** Whether further findings are of use. */
  get looking(): boolean {
    return this.#silent === 0 && this.issues.length < maxIssues;
  }

  /** Runs a check without recording its issues, such as one branch of several. */
  silently(check: () => boolean): boolean {
    this.#silent += 1;
    const valid = check();
    this.#silent -= 1;
    return valid;
  }
}
