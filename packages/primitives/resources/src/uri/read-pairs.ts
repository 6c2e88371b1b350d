import type { Variable } from './parse.js';
import type { RawValues } from './raw-values.js';

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
