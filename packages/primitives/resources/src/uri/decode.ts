import { RxmcpError } from '@rxmcp/core';
import { quoted } from '@rxmcp/core/internal';
import { type TemplateValue, beginning } from './expand.js';
import type { Expression, OperatorSign, Variable } from './parse.js';
import type { RawValue } from './read-values.js';

/** A variable and where it stands. */
interface Placed {
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
 * Decodes the value of a variable; undefined if it is longer than its prefix. Throws INVALID_PARAMS for invalid UTF-8
 * and, unless it is `unguarded`, for a value that leads out of its folder.
 */
export function valueOf(
  uri: string,
  placed: Placed,
  raw: RawValue,
  unguarded: boolean,
): TemplateValue | undefined {
  const { variable, place, segments } = placed;
  const { name, prefix } = variable;
  const fail = (problem: string, cause?: unknown): RxmcpError =>
    new RxmcpError('INVALID_PARAMS', `uri ${quoted(uri)}: ${problem}`, { cause });
  const one = (text: string): string => {
    let value: string;
    try {
      value = decodeURIComponent(text);
    } catch (cause) {
      throw fail(`"${name}" is not percent-encoded UTF-8`, cause);
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
  // Segments that are safe one by one may form an unsafe path together.
  const problem = segments && !unguarded ? escapeOf(name, 'path', '', list.join('/')) : undefined;
  if (problem !== undefined) throw fail(problem);
  return list;
}

/** Where a variable stands: in one segment, as one of the segments of `{/v}`, over many, or behind the path. */
type Place = 'segment' | 'whole' | 'path' | 'query';

/**
 * Returns why a value is rejected: used in a path, it could lead out of the intended folder. Undefined for a safe value.
 * `raw` is the value as written in the URI.
 */
function escapeOf(name: string, place: Place, raw: string, value: string): string | undefined {
  if (value.includes('\0')) return `"${name}" holds a NUL character`;
  if (value.includes('\\')) return `"${name}" holds a backslash`;
  if (place !== 'path' && place !== 'query' && slash.test(raw)) {
    return `"${name}" holds an encoded slash; a template with {+${name}} takes values of many segments`;
  }
  if (/(?:^|\/)\.\.(?:\/|$)/.test(value)) return `"${name}" holds a ".." segment`;
  if (place === 'query' || place === 'segment') return undefined;
  // A second spelling of one path would bypass access checks that compare the text of URIs.
  if (/(?:^|\/)\.(?:\/|$)/.test(value)) return `"${name}" holds a "." segment`;
  if (place === 'whole') return undefined;
  if (value.startsWith('/')) return `"${name}" is an absolute path`;
  if (/^[A-Za-z]:/.test(value)) return `"${name}" begins with a drive`;
  if (slash.test(raw)) return `"${name}" holds an encoded slash; the slashes of {+${name}} stand as they are`;
  return value.includes('//') ? `"${name}" holds an empty segment` : undefined;
}

const slash = /%2f/i;
