import { TransportError } from '@rxmcp/transport';
import type { RuleContext } from './rule-context.js';
import type { ConnectionProbe } from '../harness/connection-probe.js';
import type { ConnectionPair, Harness } from '../harness/harness.js';
import type { Trace } from '../base/trace.js';

/** Describes one thing that every transport with the required traits must do. */
export interface Rule {
  /** `group/name`; stable. */
  readonly id: string;
  /** The rule in one sentence. */
  readonly description: string;
  /** Returns why the rule does not apply; absent = the rule always applies. */
  readonly skipIf?: SkipCondition;
  /** Whether the served side is held until the rule starts it, from the first connection on. @default false */
  readonly holdsServed?: boolean;
  /** Whether the rule waits until a loss is noticed. @default false */
  readonly waitsForLoss?: boolean;
  /** Rejects where the transport breaks the rule. */
  verify(harness: Harness): Promise<void>;
}

/** Returns the reason why a rule does not apply, or `undefined` where it applies. */
export type SkipCondition = (context: RuleContext) => string | undefined;

/** Verifies a rule on one connection, of which the dialling side is inspected. */
export function onClient(
  verify: (client: ConnectionProbe, harness: Harness) => Promise<void>,
): Rule['verify'] {
  return async (harness) => verify(await harness.open(), harness);
}

/** Verifies a rule on one connection, of which both sides are inspected. */
export function onPair(verify: (pair: ConnectionPair, harness: Harness) => Promise<void>): Rule['verify'] {
  return async (harness) => verify(await harness.pair(), harness);
}

/** Reports a broken rule. The message ends with the last frames. */
export class ContractViolationError extends Error {
  override readonly name = 'ContractViolationError';
  /** The id of the rule. */
  readonly rule: string;

  constructor(rule: Rule, why: unknown, trace: Trace) {
    const lines = [
      `${rule.id}: ${rule.description}`,
      `  ${reasonOf(why, trace)}`,
      trace.text(),
      `  see ${pageOf(rule)}`,
    ];
    super(lines.join('\n'), { cause: why });
    this.rule = rule.id;
  }
}

/** Names what the transport threw, and where, if the failure is not one that the kit describes. */
function reasonOf(why: unknown, { waitedFor }: Trace): string {
  if (!(why instanceof Error)) return `the transport rejected with ${String(why)}`;
  if (!TransportError.is(why)) return why.message;
  const where = waitedFor === undefined ? '' : `, while the kit waited for ${waitedFor}`;
  return `the transport rejected with ${why.code}: ${why.message}${where}`;
}

function pageOf({ id }: Rule): string {
  return `https://github.com/rxmcp/rxmcp/blob/main/docs/reference/transport-rules.md#${id.replace('/', '-')}`;
}
