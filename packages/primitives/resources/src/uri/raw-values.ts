/** What a variable stands for in a uri, still encoded: a text, a list, or pairs. */
export type RawValue = string | readonly string[] | ReadonlyMap<string, string>;

/** What all variables stand for; those that are left out are not there. */
export type RawValues = Map<string, RawValue>;
