/**
 * Those of the values that begin with what was typed, in their order; upper and lower case are the same. What a list given as
 * a source is searched with, for functions that have a list of their own.
 */
export function startingWith(typed: string, values: readonly string[]): readonly string[] {
  if (typed === '') return values;
  const beginning = typed.toLowerCase();
  return values.filter((value) => value.toLowerCase().startsWith(beginning));
}
