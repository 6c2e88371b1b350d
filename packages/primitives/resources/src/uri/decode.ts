import { McpError } from '@rxmcp/core';
import { quoted } from '@rxmcp/core/internal';
import type { TemplateValue } from './expand.js';
import { beginning } from './expand.js';
import type { OperatorSign } from './operators.js';
import type { Expression, Variable } from './parse.js';
import type { RawValue } from './raw-values.js';
import type { Place } from './traversal.js';
import { escapeOf } from './traversal.js';

/** A variable and where it stands. */
export interface Placed {
  readonly variable: Variable;
  readonly place: Place;
  /** Whether its values are segments of one path. */
  readonly segments: boolean;
}

/** Where the variables of an expression stand. */
export function placedIn({ operator: { sign }, variables }: Expression): readonly Placed[] {
  return variables.map((variable) => ({
    variable,
    place: placeOf(sign),
    segments: sign === '/' && variable.explode,
  }));
}

function placeOf(sign: OperatorSign): Place {
  if (sign === '+') return 'path';
  if (sign === '/') return 'whole';
  return sign === '?' || sign === '&' || sign === '#' ? 'query' : 'segment';
}

/**
 * Decodes what a variable stands for; undefined where it is longer than its prefix. Throws PARAMS_INVALID for what is no UTF-8
 * and, unless it is `unguarded`, for what leads out of its place.
 */
export function valueOf(
  uri: string,
  placed: Placed,
  raw: RawValue,
  unguarded: boolean,
): TemplateValue | undefined {
  const { variable, place, segments } = placed;
  const { name, prefix } = variable;
  const fail = (problem: string, cause?: unknown): McpError =>
    new McpError('PARAMS_INVALID', `uri ${quoted(uri)}: ${problem}`, { cause });
  const one = (text: string): string => {
    let value: string;
    try {
      value = decodeURIComponent(text);
    } catch (cause) {
      throw fail(`"${name}" is no percent-encoded UTF-8`, cause);
    }
    const problem = unguarded ? undefined : escapeOf(name, place, text, value);
    if (problem !== undefined) throw fail(problem);
    return value;
  };
  if (typeof raw === 'string') {
    const value = one(raw);
    return beginning(value, prefix) === value ? value : undefined;
  }
  if (raw instanceof Map) return Object.fromEntries([...raw].map(([key, value]) => [one(key), one(value)]));
  const list = (raw as readonly string[]).map(one);
  // Segments that are harmless one by one may be put together to what is none.
  const problem = segments && !unguarded ? escapeOf(name, 'path', '', list.join('/')) : undefined;
  if (problem !== undefined) throw fail(problem);
  return list;
}
