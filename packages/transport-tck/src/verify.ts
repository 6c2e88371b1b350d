import type { Facts, Law } from './law.js';
import { laws } from './laws/index.js';
import type { Serve } from './stage/rig.js';
import { Stage, type Patience } from './stage/stage.js';
import { LawBroken } from './stage/verdict.js';
import { Tally } from './tally.js';

/**
 * How a test runner registers a test: `test` of vitest, of `node:test`, of mocha. Where a runner hands a test a context
 * with `skip(reason)`, laws that do not apply are skipped through it; elsewhere only the report names them.
 */
export type RegisterTest = (name: string, run: (...context: readonly unknown[]) => Promise<void>) => unknown;

/** What {@link verifyTransport} needs. */
export interface VerifyRequest {
  readonly test: RegisterTest;
  /** Called once per law, so that no law sees what another left behind. */
  readonly serve: Serve;
  readonly options?: VerifyOptions;
}

/** Options of {@link verifyTransport}. */
export interface VerifyOptions {
  /** `serve` ignores its acceptor and serves `echoAcceptor()` in another process. @default false */
  readonly remote?: boolean;
  /** How long one thing may take to happen, in milliseconds. @default 2000 */
  readonly waitMs?: number;
  /** How long a close may take, in milliseconds; the contract allows 5 s. @default 5500 */
  readonly closeMs?: number;
  /** Takes the line that says how many laws held and which were not run, and why. @default console.log */
  readonly report?: (line: string) => void;
}

/**
 * Registers one test per law of the transport contract, and a last one that reports which laws were not run and why.
 * A broken law rejects its test with a {@link LawBroken} that ends with the last frames.
 */
export function verifyTransport({ test, serve, options = {} }: VerifyRequest): void {
  const patience: Patience = { waitMs: options.waitMs ?? 2_000, closeMs: options.closeMs ?? 5_500 };
  const tally = new Tally();
  let facts: Promise<Facts> | undefined;
  for (const law of laws) {
    test(`${law.id}: ${law.says}`, async (...context) => {
      facts ??= learn(serve, patience, options.remote ?? false);
      const reason = law.gate?.(await facts);
      if (reason === undefined) {
        await prove(law, serve, patience);
        tally.held(law);
      } else {
        tally.notRun(law, reason);
        skip(context[0], reason);
      }
    });
  }
  test('report: the laws that were not run are named', async () => {
    const report = options.report ?? ((line: string) => console.log(line));
    report(tally.text());
  });
}

function skip(context: unknown, reason: string): void {
  const { skip } = (context ?? {}) as { skip?: unknown };
  // Called on its context: `node:test` needs its `this`. Vitest leaves the test by throwing, so nothing may follow.
  if (typeof skip === 'function') (context as { skip(reason: string): void }).skip(reason);
}

/** One look at a connection, so that laws which do not apply cost nothing. */
async function learn(serve: Serve, patience: Patience, remote: boolean): Promise<Facts> {
  const stage = new Stage(patience);
  try {
    await stage.set(serve);
    return await stage.facts(remote);
  } finally {
    await stage.strike();
  }
}

async function prove(law: Law, serve: Serve, patience: Patience): Promise<void> {
  const stage = new Stage(patience);
  try {
    await stage.set(serve);
    await law.prove(stage);
  } catch (error) {
    throw new LawBroken(law, error, stage.trace);
  } finally {
    await stage.strike();
  }
}
