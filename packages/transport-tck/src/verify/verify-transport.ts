import { rejectUnknownOptions } from '@rxmcp/transport/internal';
import { rules } from '../rules/index.js';
import { type Rule, ContractViolationError } from '../rules/rule.js';
import { RuleSkipped } from '../base/assert.js';
import { now } from '../base/clock.js';
import type { RuleContext } from '../rules/rule-context.js';
import type { ServeFixture } from '../fixture/fixture.js';
import { type Timeouts, Harness } from '../harness/harness.js';
import { Trace } from '../base/trace.js';
import { RuleReport } from './rule-report.js';
import { frameInjector } from '../fixture/frame-injector.js';

/**
 * Registers a test, as `test` of vitest and of `node:test` and `it` of mocha do. Where the runner passes a context with
 * `skip(reason)`, as argument or as `this`, rules that do not apply are skipped through it, with the missing trait or hook
 * as the reason. In other runners only the report names them.
 */
export type RegisterTest = (name: string, run: (...context: readonly unknown[]) => Promise<void>) => unknown;

/** States what {@link verifyTransport} verifies and with which test runner. */
export interface VerifyRequest {
  readonly test: RegisterTest;
  /** Serves a fresh transport. Called once per rule, and once more to read the traits. */
  readonly serve: ServeFixture;
  readonly options?: VerifyOptions;
}

/** Options of {@link verifyTransport}. */
export interface VerifyOptions {
  /** Whether `serve` ignores its connection handler and serves `echoConnectionHandler()` in another process. @default false */
  readonly outOfProcess?: boolean;
  /**
   * How long one rule may take in all, in milliseconds; it bounds the other two. Keep it below the limit of your runner, so
   * that a rule fails with its own message: 5 s in vitest and jest, 2 s in mocha, none in `node:test`. @default 4000
   */
  readonly ruleTimeoutMs?: number;
  /**
   * How long one event may take, in milliseconds, such as a dial to a side that no longer serves: keep `connectTimeoutMs` of the
   * transport below it. @default 2000
   */
  readonly stepTimeoutMs?: number;
  /** How long a close may take, in milliseconds. The contract allows 5 s: a close that takes that long needs a longer `ruleTimeoutMs` too. @default 5500 */
  readonly closeTimeoutMs?: number;
  /** How long it may take until a side notices a loss, in milliseconds, such as three missing heartbeats. @default 3000 */
  readonly lossMs?: number;
  /**
   * Ids of rules that the transport is known to break. Their tests pass while they are broken, fail once they hold, and are
   * reported separately. @default []
   */
  readonly knownBroken?: readonly string[];
  /** Receives a text that says how many rules passed, and which were skipped for which reason. @default console.log */
  readonly report?: (line: string) => void;
}

/**
 * Registers one test per rule of the transport contract, and a last test that reports which rules were skipped and why.
 * The test of a broken rule rejects with a {@link ContractViolationError}, whose message ends with the last frames.
 */
export function verifyTransport({ test, serve, options = {} }: VerifyRequest): void {
  checkOptions('verifyTransport', options);
  let ruleContext: Promise<RuleContext> | undefined;
  registerRules({ test, serve, options }, rules, new RuleReport(), () => {
    ruleContext ??= readRuleContext(serve, options);
    return ruleContext;
  });
}

/**
 * Reads the traits first, then registers one test for each rule that applies, and the last test. Rules that do not apply
 * are no tests; the report names them. For runners whose `describe` or test files may be asynchronous, such as vitest and
 * `node:test`.
 *
 * @returns A promise that resolves when the tests are registered. It rejects where no connection can be opened.
 */
export async function verifyApplicableRules({ test, serve, options = {} }: VerifyRequest): Promise<void> {
  checkOptions('verifyApplicableRules', options);
  const known = await readRuleContext(serve, options);
  const ruleReport = new RuleReport();
  const applicable = rules.filter((rule) => {
    const reason = rule.skipIf?.(known);
    if (reason !== undefined) ruleReport.recordSkipped(rule, reason);
    return reason === undefined;
  });
  registerRules({ test, serve, options }, applicable, ruleReport, () => Promise.resolve(known));
}

const knownOptions: Record<keyof VerifyOptions, true> = {
  outOfProcess: true,
  ruleTimeoutMs: true,
  stepTimeoutMs: true,
  closeTimeoutMs: true,
  lossMs: true,
  knownBroken: true,
  report: true,
};

function checkOptions(name: string, options: VerifyOptions): void {
  rejectUnknownOptions(name, options, knownOptions, {
    remote: 'outOfProcess',
    lawMs: 'ruleTimeoutMs',
    waitMs: 'stepTimeoutMs',
    closeMs: 'closeTimeoutMs',
  });
  for (const id of options.knownBroken ?? []) {
    if (!rules.some((rule) => rule.id === id))
      throw new TypeError(`${name}: knownBroken has "${id}", which is not a rule`);
  }
}

function timeoutsOf({
  stepTimeoutMs = 2_000,
  closeTimeoutMs = 5_500,
  ruleTimeoutMs = 4_000,
  lossMs = 3_000,
}: VerifyOptions): Timeouts {
  return { stepTimeoutMs, closeTimeoutMs, ruleTimeoutMs, lossMs };
}

function registerRules(
  { test, serve, options = {} }: VerifyRequest,
  registered: readonly Rule[],
  ruleReport: RuleReport,
  known: () => Promise<RuleContext>,
): void {
  const timeouts = timeoutsOf(options);
  const knownBroken = new Set(options.knownBroken);
  for (const rule of registered) {
    test(`${rule.id}: ${rule.description}`, async function (this: unknown, ...context) {
      const startedAt = now();
      const run = (): Promise<void> => runRule(serve, rule, timeouts, startedAt);
      const isKnown = knownBroken.has(rule.id);
      const reason = await checkRule(rule, known(), isKnown ? () => expectBroken(rule, run) : run);
      if (isKnown && reason === undefined) ruleReport.recordKnownBroken(rule);
      else if (reason === undefined) ruleReport.recordPassed(rule);
      else {
        ruleReport.recordSkipped(rule, reason);
        skip(context[0] ?? this, reason);
      }
    });
  }
  test('report: the rules that were not run are named', async () => {
    const report = options.report ?? ((line: string) => console.log(line));
    report(ruleReport.text());
  });
}

/** Rejects where the rule holds. */
async function expectBroken(rule: Rule, run: () => Promise<void>): Promise<void> {
  const broken = await run().then(
    () => false,
    (error: unknown) => {
      if (!(error instanceof ContractViolationError)) throw error;
      return true;
    },
  );
  if (!broken) throw new Error(`${rule.id} holds and is in \`knownBroken\`. Remove it there.`);
}

function skip(context: unknown, reason: string): void {
  const { skip } = (context ?? {}) as { skip?: unknown };
  // Called on its context, since `node:test` needs `this`. Vitest and mocha throw here, so nothing may follow.
  if (typeof skip === 'function') (context as { skip(reason: string): void }).skip(reason);
}

/** Resolves with nothing where the rule passed, or with the reason why it does not apply; rejects where it is broken. */
async function checkRule(
  rule: Rule,
  ruleContext: Promise<RuleContext>,
  prove: () => Promise<void>,
): Promise<string | undefined> {
  const known = await ruleContext.catch((error: unknown) => {
    throw new ContractViolationError(rule, error, new Trace());
  });
  const reason = rule.skipIf?.(known);
  if (reason !== undefined) return reason;
  try {
    await prove();
    return undefined;
  } catch (error) {
    if (error instanceof RuleSkipped) return error.message;
    throw error;
  }
}

/** Reads the traits of one connection, so that rules that do not apply cost nothing. Takes at most half the time of a rule. */
async function readRuleContext(serve: ServeFixture, options: VerifyOptions): Promise<RuleContext> {
  const timeouts = timeoutsOf(options);
  const harness = new Harness({ ...timeouts, ruleTimeoutMs: timeouts.ruleTimeoutMs / 2 });
  let ruleContext: RuleContext;
  try {
    await harness.setUp(serve);
    ruleContext = await readContext(harness, options.outOfProcess ?? false);
  } catch (error) {
    await harness.tearDown().catch(() => undefined);
    harness.outside.stop();
    throw error;
  }
  await harness.tearDown().finally(() => harness.outside.stop());
  return ruleContext;
}

async function runRule(
  serve: ServeFixture,
  rule: Rule,
  timeouts: Timeouts,
  startedAt: number,
): Promise<void> {
  const { ruleTimeoutMs, lossMs } = timeouts;
  // Three quarters are for the loss, the rest is for everything before it.
  const whole = rule.waitsForLoss === true ? Math.max(ruleTimeoutMs, (lossMs * 4) / 3) : ruleTimeoutMs;
  const harness = new Harness({ ...timeouts, ruleTimeoutMs: whole }, startedAt);
  try {
    await proveRule(serve, rule, harness);
  } finally {
    harness.outside.stop();
  }
}

async function proveRule(serve: ServeFixture, rule: Rule, harness: Harness): Promise<void> {
  harness.holdServed(rule.holdsServed ?? false);
  try {
    // After the timer of the kit is set, which is no handle of the transport.
    const served = Promise.resolve().then(() => harness.setUp(serve));
    await harness.inTime(served.then(() => rule.verify(harness)));
  } catch (error) {
    const broken =
      error instanceof RuleSkipped ? error : new ContractViolationError(rule, error, harness.trace);
    // The first failure is the one to report.
    await harness.tearDown().catch(() => undefined);
    throw broken;
  }
  await harness
    .tearDown()
    .then(() => harness.inspect())
    .catch((error: unknown) => {
      throw new ContractViolationError(rule, error, harness.trace);
    });
}

/** Opens a connection to read its traits, and looks at what the fixture has. @param outOfProcess Whether the served side runs in another process. */
async function readContext(harness: Harness, outOfProcess: boolean): Promise<RuleContext> {
  const { fixture, acceptsAt } = harness;
  const alike = outOfProcess || acceptsAt === 'dial';
  const { client, served } = alike ? { client: await harness.open() } : await harness.pair();
  const { traits } = client.connection;
  const { notInjectable = [], cut, cutLane, relay } = fixture;
  // A session may outlive the socket that a relay cuts.
  const isCutByRelay = relay !== undefined && traits.lanes === 'shared' && acceptsAt === 'dial';
  return {
    traits,
    servedTraits: (served ?? client).connection.traits,
    acceptsAt,
    outOfProcess,
    canInjectFrame: frameInjector(fixture) !== undefined,
    notInjectable,
    canCut: cut !== undefined || isCutByRelay,
    hasOtherCuts: fixture.otherCuts !== undefined,
    relayed: relay?.wire,
    relaysFrames: relay?.frame !== undefined,
    hasResidue: fixture.residue !== undefined,
    firstMessageTimeoutMs: fixture.firstMessageTimeoutMs,
    pausesReading: fixture.pausesReading === true,
    canCutLane: cutLane !== undefined,
    resumesLanes: fixture.resumesLanes === true,
  };
}
