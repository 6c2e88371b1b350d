import type { Expression, Variable } from './parse.js';
import type { Group } from './shape.js';

/** What a variable stands for in a uri, still encoded: a text, a list, or pairs. */
export type RawValue = string | readonly string[] | ReadonlyMap<string, string>;

/** What all variables stand for; those that are left out are not there. */
export type RawValues = Map<string, RawValue>;

/** Reads what a group stands for into `values`; false where it cannot stand for that. */
export function readGroup({ members }: Group, raw: string, values: RawValues): boolean {
  let rest = raw;
  for (const [index, member] of members.entries()) {
    // A member ends where the first of those begins that may follow it.
    const ends = members.slice(index + 1).map(({ operator }) => rest.indexOf(operator.first));
    const end = Math.min(...ends.filter((at) => at !== -1), rest.length);
    if (!readExpression(member, rest.slice(0, end), values)) return false;
    rest = rest.slice(end);
  }
  return rest === '';
}

/** Reads what one expression stands for into `values`; false where it cannot stand for that. */
export function readExpression({ operator, variables }: Expression, raw: string, values: RawValues): boolean {
  const { first, between, named, optional, sign } = operator;
  if (raw === '') return optional;
  if (!raw.startsWith(first)) return false;
  const inner = raw.slice(first.length);
  if (named) return !inner.includes('/') && readPairs(inner, between, variables, values);
  // Of a fragment, and of what may hold everything, nothing is known but its text.
  if ((sign === '#' || sign === '+') && variables[0]?.explode !== true) {
    values.set(variables[0]?.name ?? '', inner);
    return true;
  }
  return readItems(inner.split(between), between, variables, optional, values);
}

function readItems(
  items: readonly string[],
  between: string,
  variables: readonly Variable[],
  optional: boolean,
  values: RawValues,
): boolean {
  if (items.includes('') || (items.length < variables.length && !optional)) return false;
  for (const [index, { name, explode }] of variables.entries()) {
    if (index >= items.length) return true;
    const last = index === variables.length - 1;
    if (explode) values.set(name, items.slice(index));
    // The last one takes what is left, as it may have been written without escapes; slashes it never takes.
    else if (last && between !== '/') values.set(name, items.slice(index).join(between));
    else if (last && items.length > variables.length) return false;
    else values.set(name, items[index] as string);
  }
  return true;
}

/**
 * Reads `a=1&b=2` into `values`, in any order; false for a name that is unknown or comes twice. `{?v*}` takes its own name any
 * number of times, as a list, and where it is the only such variable all unknown names, as pairs.
 */
export function readPairs(
  text: string,
  between: string,
  variables: readonly Variable[],
  values: RawValues,
): boolean {
  if (text === '') return true;
  const known = new Map(variables.map((variable) => [variable.key, variable]));
  const [open, second] = variables.filter(({ explode }) => explode);
  const others = new Map<string, string>();
  const lists = new Map<string, string[]>();
  for (let at = 0; at <= text.length;) {
    const next = text.indexOf(between, at);
    const end = next === -1 ? text.length : next;
    const pair = text.slice(at, end);
    const equals = pair.indexOf('=');
    const key = equals === -1 ? pair : pair.slice(0, equals);
    const value = equals === -1 ? '' : pair.slice(equals + 1);
    const variable = known.get(key);
    // What does not fit ends it, so that nothing is read on for nothing.
    if (variable === undefined) {
      if (open === undefined || second !== undefined || key === '' || others.has(key)) return false;
      others.set(key, value);
    } else if (variable.explode) {
      const list = lists.get(variable.name);
      if (list === undefined) lists.set(variable.name, [value]);
      else list.push(value);
    } else if (values.has(variable.name)) return false;
    else values.set(variable.name, value);
    at = end + between.length;
  }
  for (const [name, list] of lists) values.set(name, list);
  if (open === undefined || others.size === 0) return true;
  if (lists.size > 0) return false;
  values.set(open.name, others);
  return true;
}
