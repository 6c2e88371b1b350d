/**
 * Throws for an option that has another name: without this, plain JavaScript would run with the default and no message.
 * @throws TypeError that names the option and its present name
 */
export function rejectRenamedOptions(
  where: string,
  options: object | undefined,
  renamed: Readonly<Record<string, string>>,
): void {
  for (const name in options) {
    if (Object.hasOwn(renamed, name))
      throw new TypeError(`${where}: unknown option "${name}", did you mean "${renamed[name]}"?`);
  }
}
