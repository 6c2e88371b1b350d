type OptionalKey<T> = { [K in keyof T]: undefined extends T[K] ? K : never }[keyof T];

/** An object without the members that are undefined. */
export type Defined<T> = Omit<T, OptionalKey<T>> & { [K in OptionalKey<T>]?: Exclude<T[K], undefined> };

/** Copies an object without the members that are undefined, as messages and options with optional members have it. */
export function omitUndefined<T extends object>(members: T): Defined<T> {
  const copy: Partial<T> = {};
  for (const key in members) if (members[key] !== undefined) copy[key] = members[key];
  return copy as Defined<T>;
}
