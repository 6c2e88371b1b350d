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

/**
 * Throws for an option that does not exist, as TypeScript does: plain JavaScript would run without a message.
 * @param known - has a member for each option that exists
 * @param alike - for names that users try, the existing option or another hint
 * @throws TypeError that names the option and the nearest existing one, and for options that are no object
 */
export function rejectUnknownOptions(
  where: string,
  options: object | undefined,
  known: object,
  alike: Readonly<Record<string, string>> = {},
): void {
  if (options !== undefined && (typeof options !== 'object' || Array.isArray(options))) {
    const kind = Array.isArray(options) ? 'an array' : `a ${typeof options as string}`;
    throw new TypeError(`${where}: the options must be an object, not ${kind}`);
  }
  for (const name in options) {
    if (name in known || (options as Record<string, unknown>)[name] === undefined) continue;
    const names = Object.keys(known);
    const near = alike[name] ?? sameBeginning(name, names);
    const hint = near === undefined ? `. It has ${names.join(', ')}` : `, did you mean "${near}"?`;
    throw new TypeError(`${where}: unknown option "${name}"${hint}`);
  }
}

// Not the distance of the spelling, which would make the bundles of clients larger.
function sameBeginning(name: string, names: readonly string[]): string | undefined {
  for (let length = name.length; length > 2; length -= 1) {
    const begin = name.slice(0, length).toLowerCase();
    const near = names.find((other) => other.toLowerCase().startsWith(begin));
    if (near !== undefined) return near;
  }
  return undefined;
}

/** Returns the known name that differs by at most two typing errors. Compares with the first 1,000 names only. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  if (name.length > 64) return undefined;
  let best: string | undefined;
  let bestDistance = Math.min(2, Math.floor(name.length / 3)) + 1;
  let looked = 0;
  for (const other of known) {
    if ((looked += 1) > 1_000) break;
    if (Math.abs(other.length - name.length) >= bestDistance) continue;
    const found = distance(name.toLowerCase(), other.toLowerCase());
    if (found < bestDistance) [best, bestDistance] = [other, found];
  }
  return best;
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
