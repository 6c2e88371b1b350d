import {
  ContractViolationError,
  type ServeFixture,
  type VerifyOptions,
  verifyTransport,
} from '../../src/index.js';
import { exhaustive } from '../../../../vitest.exhaustive.js';
import { type Broken, group, leaked } from './mutant.js';

/** The rules that broke, each with its message. */
export type BrokenLaws = Map<string, string>;

/** One rule on one mutant. */
interface Trial {
  readonly id: string;
  readonly group: string;
  run(): Promise<void>;
}

/** Rules under test at once. Most of them wait for something that a mutant never does. */
const atOnce = 8;

/** Tries every rule on every mutant; the quick run tries the rule that the mutant is named for. */
export async function brokenByEach<M extends Broken>(
  mutants: readonly M[],
  serve: (mutant: M) => ServeFixture,
  options: VerifyOptions = {},
): Promise<ReadonlyMap<M, BrokenLaws>> {
  const found = new Map<M, BrokenLaws>();
  const trials = mutants.map((mutant) => {
    const broken: BrokenLaws = new Map();
    found.set(mutant, broken);
    return trialsOf(serve(mutant), broken, options).filter(({ id }) => isTried(mutant, id));
  });
  await inPool(trials.flatMap((each) => each.filter(({ group }) => group !== 'leak')));
  clearLeaked();
  // They count the handles of the whole process, so each is alone in it.
  for (const each of trials) {
    for (const trial of each) if (trial.group === 'leak') await trial.run();
    clearLeaked();
  }
  for (const [mutant, broken] of found) {
    // Where others run at the same time, what takes long may look like what waits.
    if (!broken.has(mutant.law))
      await trialsOf(serve(mutant), broken, options)
        .find(({ id }) => id === mutant.law)
        ?.run();
    clearLeaked();
    // A busy machine may have been too slow for the first look at its connection, which counts for all of its rules.
    await tryAgain(mutant, trialsOf(serve(mutant), broken, options), broken);
  }
  return found;
}

/** On a busy machine a rule may break for want of time: what a mutant is not expected to break counts only when it breaks alone. */
async function tryAgain(mutant: Broken, trials: readonly Trial[], broken: BrokenLaws): Promise<void> {
  for (const trial of trials) {
    const { id } = trial;
    const isRight = id === mutant.law && broken.get(id)?.includes(mutant.because) === true;
    const sameGroup = mutant.alone !== true && id !== mutant.law && group(id) === group(mutant.law);
    if (!broken.has(id) || isRight || sameGroup || mutant.also?.includes(id) === true) continue;
    broken.delete(id);
    await trial.run();
    clearLeaked();
  }
}

/** At full size a mutant is tried on all rules, unless any rule may break with it. */
function isTried(mutant: Broken, id: string): boolean {
  return (exhaustive && mutant.everywhere !== true) || id === mutant.law;
}

function trialsOf(serve: ServeFixture, broken: BrokenLaws, options: VerifyOptions): readonly Trial[] {
  const trials: Trial[] = [];
  const tried = (run: () => Promise<void>) => (): Promise<void> =>
    run().catch((error: unknown) => {
      if (!(error instanceof ContractViolationError)) throw error;
      broken.set(error.rule, error.message);
    });
  verifyTransport({
    test: (name, run) => trials.push({ id: idOf(name), group: group(name), run: tried(run) }),
    serve,
    options: {
      stepTimeoutMs: 500,
      closeTimeoutMs: 500,
      lossMs: 500,
      ruleTimeoutMs: 10_000,
      report: () => undefined,
      ...options,
    },
  });
  return trials;
}

function idOf(name: string): string {
  return name.slice(0, name.indexOf(':'));
}

async function inPool(trials: readonly Trial[]): Promise<void> {
  const left = trials.values();
  const worker = async (): Promise<void> => {
    for (const trial of left) await trial.run();
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

function clearLeaked(): void {
  for (const timer of leaked.splice(0)) clearInterval(timer);
}
