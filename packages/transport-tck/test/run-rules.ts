import { verifyTransport, type ServeFixture, type VerifyOptions } from '../src/index.js';

/** What a run of the rules gets in addition to the transport. */
export interface RunOptions {
  readonly options?: VerifyOptions;
  /** Names of the rules to run. @default all */
  readonly only?: RegExp;
  /** What the runner hands each test. */
  readonly context?: unknown;
  /** What the runner calls each test on. */
  readonly self?: unknown;
}

/** Runs the rules one after the other and returns the messages of the broken ones. */
export async function run(
  serve: ServeFixture,
  { options, only = /./, context, self }: RunOptions = {},
): Promise<{ broken: string[]; reports: string[] }> {
  const runs: ((...context: unknown[]) => Promise<void>)[] = [];
  const reports: string[] = [];
  verifyTransport({
    test: (name, law) => only.test(name) && runs.push(law),
    serve,
    options: { report: (line) => reports.push(line), ...options },
  });
  const broken: string[] = [];
  const given = context === undefined ? [] : [context];
  for (const law of runs) {
    await law.apply(self, given).catch((error: unknown) => broken.push((error as Error).message));
  }
  return { broken, reports };
}
