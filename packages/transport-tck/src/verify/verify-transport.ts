import { laws } from '../laws/index.js';
import type { Law } from '../laws/law.js';
import { LawBroken } from '../laws/law.js';
import { NotRun } from '../stage/assert.js';
import { now } from '../stage/clock.js';
import type { Facts } from '../stage/facts.js';
import type { Serve } from '../stage/rig.js';
import type { Patience } from '../stage/stage.js';
import { Stage } from '../stage/stage.js';
import { Trace } from '../stage/trace.js';
import { Tally } from './tally.js';

/**
 * How a test runner registers a test: `test` of vitest, of `node:test`, of mocha. Where a runner hands a test a context
 * with `skip(reason)`, as its argument or as its `this`, laws that do not apply are skipped through it with the trait or
 * the hook that is missing; elsewhere only the report names them.
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
  /**
   * How long one law may take in all, in milliseconds; the other two end with it. Keep it under the limit of your runner,
   * so that a law ends with its own words: 5 s in vitest and jest, 2 s in mocha, none in `node:test`. @default 4000
   */
  readonly lawMs?: number;
  /** How long one thing may take to happen, in milliseconds. @default 2000 */
  readonly waitMs?: number;
  /** How long a close may take, in milliseconds. The contract allows 5 s: one that needs them needs a longer `lawMs` too. @default 5500 */
  readonly closeMs?: number;
  /** Takes the line that says how many laws held and which were not run, and why. @default console.log */
  readonly report?: (line: string) => void;
}

/**
 * Registers one test per law of the transport contract, and a last one that reports which laws were not run and why.
 * A broken law rejects its test with a {@link LawBroken} that ends with the last frames.
 */
export function verifyTransport({ test, serve, options = {} }: VerifyRequest): void {
  const { waitMs = 2_000, closeMs = 5_500, lawMs = 4_000, remote = false } = options;
  const patience: Patience = { waitMs, closeMs, lawMs };
  const tally = new Tally();
  let facts: Promise<Facts> | undefined;
  for (const law of laws) {
    test(`${law.id}: ${law.says}`, async function (this: unknown, ...context) {
      const startedAt = now();
      facts ??= learn(serve, patience, remote);
      const reason = await verdict(law, facts, () => staged(serve, law, patience, startedAt));
      if (reason === undefined) tally.held(law);
      else {
        tally.notRun(law, reason);
        skip(context[0] ?? this, reason);
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
  // Called on its context: `node:test` needs its `this`. Vitest and mocha leave the test by throwing, so nothing may follow.
  if (typeof skip === 'function') (context as { skip(reason: string): void }).skip(reason);
}

/** Nothing where the law held, the reason where it does not apply; throws where it is broken. */
async function verdict(
  law: Law,
  facts: Promise<Facts>,
  prove: () => Promise<void>,
): Promise<string | undefined> {
  const known = await facts.catch((error: unknown) => {
    throw new LawBroken(law, error, new Trace());
  });
  const reason = law.gate?.(known);
  if (reason !== undefined) return reason;
  try {
    await prove();
    return undefined;
  } catch (error) {
    if (error instanceof NotRun) return error.message;
    throw error;
  }
}

/** One look at a connection, so that laws which do not apply cost nothing. It takes half of a law's time at most. */
async function learn(serve: Serve, patience: Patience, remote: boolean): Promise<Facts> {
  const stage = new Stage({ ...patience, lawMs: patience.lawMs / 2 });
  let facts: Facts;
  try {
    await stage.set(serve);
    facts = await stage.facts(remote);
  } catch (error) {
    await stage.strike().catch(() => undefined);
    throw error;
  }
  await stage.strike();
  return facts;
}

async function staged(serve: Serve, law: Law, patience: Patience, startedAt: number): Promise<void> {
  const stage = new Stage(patience, startedAt);
  try {
    await stage.inTime(stage.set(serve).then(() => law.prove(stage)));
  } catch (error) {
    const broken = error instanceof NotRun ? error : new LawBroken(law, error, stage.trace);
    // What was seen first is what counts.
    await stage.strike().catch(() => undefined);
    throw broken;
  }
  await stage
    .strike()
    .then(() => stage.inspect())
    .catch((error: unknown) => {
      throw new LawBroken(law, error, stage.trace);
    });
}
