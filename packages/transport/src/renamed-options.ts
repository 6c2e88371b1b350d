/**
 * Throws for an option that has another name: plain JavaScript would run with the default and without a message.
 * @param renamed present names by former names
 * @throws TypeError that names the option and its present name
 */
export function rejectRenamedOptions(
  where: string,
  options: object | undefined,
  renamed: Readonly<Record<string, string>>,
): void {
  for (const name in renamed)
    if ((options as Record<string, unknown> | undefined)?.[name] !== undefined)
      throw new TypeError(`${where}: unknown option "${name}", did you mean "${renamed[name]}"?`);
}
