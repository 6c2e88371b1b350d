import { rules } from '../rules/index.js';
import { rejectRenamedOptions } from '@rxmcp/transport/internal';
import type { Rule } from '../laws/law.js';
import { ContractViolationError } from '../laws/law.js';
import { RuleSkipped } from '../stage/assert.js';
import { now } from '../harness/clock.js';
import type { RuleContext } from '../stage/facts.js';
import type { ServeFixture } from '../harness/fixture.js';
import type { Timeouts } from '../harness/harness.js';
import { Harness } from '../harness/harness.js';
import { Trace } from '../harness/trace.js';
import { RuleReport } from './tally.js';

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
  readonly serve: ServeFixture;
  readonly options?: VerifyOptions;
}

/** Options of {@link verifyTransport}. */
export interface VerifyOptions {
  /** `serve` ignores its acceptor and serves `echoConnectionHandler()` in another process. @default false */
  readonly outOfProcess?: boolean;
  /**
   * How long one law may take in all, in milliseconds; the other two end with it. Keep it under the limit of your runner,
   * so that a law ends with its own words: 5 s in vitest and jest, 2 s in mocha, none in `node:test`. @default 4000
   */
  readonly ruleTimeoutMs?: number;
  /** How long one thing may take to happen, in milliseconds. @default 2000 */
  readonly stepTimeoutMs?: number;
  /** How long a close may take, in milliseconds. The contract allows 5 s: one that needs them needs a longer `ruleTimeoutMs` too. @default 5500 */
  readonly closeTimeoutMs?: number;
  /** Takes the line that says how many laws held and which were not run, and why. @default console.log */
  readonly report?: (line: string) => void;
}

/**
 * Registers one test per law of the transport contract, and a last one that reports which laws were not run and why.
 * A broken law rejects its test with a {@link ContractViolationError} that ends with the last frames.
 */
export function verifyTransport({ test, serve, options = {} }: VerifyRequest): void {
  rejectRenamedOptions('verifyTransport', options, {
    remote: 'outOfProcess',
    lawMs: 'ruleTimeoutMs',
    waitMs: 'stepTimeoutMs',
    closeMs: 'closeTimeoutMs',
  });
  const {
    stepTimeoutMs = 2_000,
    closeTimeoutMs = 5_500,
    ruleTimeoutMs = 4_000,
    outOfProcess = false,
  } = options;
  const patience: Timeouts = { stepTimeoutMs, closeTimeoutMs, ruleTimeoutMs };
  const tally = new RuleReport();
  let facts: Promise<RuleContext> | undefined;
  for (const law of rules) {
    test(`${law.id}: ${law.description}`, async function (this: unknown, ...context) {
      const startedAt = now();
      facts ??= learn(serve, patience, outOfProcess);
      const reason = await verdict(law, facts, () => staged(serve, law, patience, startedAt));
      if (reason === undefined) tally.recordPassed(law);
      else {
        tally.recordSkipped(law, reason);
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
  law: Rule,
  facts: Promise<RuleContext>,
  prove: () => Promise<void>,
): Promise<string | undefined> {
  const known = await facts.catch((error: unknown) => {
    throw new ContractViolationError(law, error, new Trace());
  });
  const reason = law.skipIf?.(known);
  if (reason !== undefined) return reason;
  try {
    await prove();
    return undefined;
  } catch (error) {
    if (error instanceof RuleSkipped) return error.message;
    throw error;
  }
}

/** One look at a connection, so that laws which do not apply cost nothing. It takes half of a law's time at most. */
async function learn(serve: ServeFixture, patience: Timeouts, remote: boolean): Promise<RuleContext> {
  const stage = new Harness({ ...patience, ruleTimeoutMs: patience.ruleTimeoutMs / 2 });
  let facts: RuleContext;
  try {
    await stage.setUp(serve);
    facts = await stage.ruleContext(remote);
  } catch (error) {
    await stage.tearDown().catch(() => undefined);
    throw error;
  }
  await stage.tearDown();
  return facts;
}

async function staged(serve: ServeFixture, law: Rule, patience: Timeouts, startedAt: number): Promise<void> {
  const stage = new Harness(patience, startedAt);
  try {
    await stage.inTime(stage.setUp(serve).then(() => law.verify(stage)));
  } catch (error) {
    const broken = error instanceof RuleSkipped ? error : new ContractViolationError(law, error, stage.trace);
    // What was seen first is what counts.
    await stage.tearDown().catch(() => undefined);
    throw broken;
  }
  await stage
    .tearDown()
    .then(() => stage.inspect())
    .catch((error: unknown) => {
      throw new ContractViolationError(law, error, stage.trace);
    });
}
