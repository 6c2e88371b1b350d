import { type JsonObject, RxmcpError } from '@rxmcp/core';
import { type MemberChecks, isObject, quoted, omitInvalidMembers } from '@rxmcp/core/internal';

/**
 * Values that a server suggests for an argument.
 * @see Schema 2026-07-28 CompleteResult
 */
export interface Completion {
  /** At most 100, the best first. */
  readonly values: readonly string[];
  /** The total number of matches, if the server knows it. */
  readonly total?: number;
  /** Whether there are more than `values`. */
  readonly hasMore?: boolean;
  readonly [member: string]: unknown;
}

/**
 * Most values of one result.
 * @see Spec 2026-07-28 server/utilities/completion#completion-results
 */
export const maxValues = 100;

/** Checks a result from the wire. Omits values above the limit and calls `tooMany` with their count. Throws INVALID_RESULT. */
export function completionOf(
  argument: string,
  { completion }: JsonObject,
  tooMany: (count: number) => void,
): Completion {
  if (!isObject(completion)) throw invalid(argument, '"completion" is not a JSON object');
  const { values } = completion;
  if (!Array.isArray(values)) throw invalid(argument, '"values" is no array');
  const wrong = values.findIndex((value) => typeof value !== 'string');
  if (wrong !== -1) throw invalid(argument, `"values[${wrong}]" is no string`);
  const known = omitInvalidMembers(completion, optional) as unknown as Completion;
  if (values.length <= maxValues) return known;
  tooMany(values.length);
  return { ...known, values: known.values.slice(0, maxValues), hasMore: true };
}

const optional: MemberChecks = {
  total: (value) => Number.isInteger(value) && (value as number) >= 0,
  hasMore: (value) => typeof value === 'boolean',
};

function invalid(argument: string, problem: string): RxmcpError {
  return new RxmcpError('INVALID_RESULT', `completion/complete ${quoted(argument)}: ${problem}`, {
    outcome: 'answered',
  });
}
