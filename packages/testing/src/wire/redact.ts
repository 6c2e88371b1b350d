/** Stands for a value that was not kept; in a replay anything equals it. */
export const redacted = '<redacted>';

const usual =
  /^(authorization|cookie|passw(or)?d|secret|(api|private)[-_]?key|(access|refresh|id)[-_]?token|client[-_]?secret)$/i;

/** Makes a copy of a message without the values of members that hold secrets. */
export function redactor(more: readonly (string | RegExp)[]): <T>(message: T) => T {
  const isSecret = (name: string): boolean =>
    usual.test(name) ||
    more.some((one) => (typeof one === 'string' ? one === name : name.search(one) !== -1));
  return <T>(message: T): T =>
    JSON.parse(JSON.stringify(message, (name, value: unknown) => (isSecret(name) ? redacted : value))) as T;
}
