/** A line that was broken. */
export interface Broken {
  /** The whole file with it. */
  readonly source: string;
  readonly before: string;
  readonly after: string;
}

type Change = readonly [RegExp, (found: string) => string];

// In this order: the first that a fragment has is changed.
const changes: readonly Change[] = [
  [/[!=]==/, (found) => (found === '===' ? '!==' : '===')],
  [/\b(?:true|false)\b/, (found) => (found === 'true' ? 'false' : 'true')],
  [/'[^']+'/, (found) => `'not-${found.slice(1)}`],
  [/"[^"']+"/, (found) => `"not-${found.slice(1)}`],
  [/-?\b\d+(?:_\d+)*\b/, (found) => String(Number(found.replaceAll('_', '')) + 1)],
  [/\+\+/, () => ''],
  [/ (?:<=|>=|<|>) /, (found) => (found.includes('<') ? ' > ' : ' < ')],
  [/(?<=: |\()[A-Z]+(?:_[A-Z]+)+\b/, (found) => `${found} + 1`],
  [/ \+ /, () => ' * '],
  [/\{ .+ \}/, () => '{}'],
  [/\$\{[^{}]+\}/, () => ''],
];

/**
 * Breaks the one line that has the fragment; what stands on the other lines stays. Throws where there is not one, and where
 * all that is left is to take away a `return`: what comes after it would not be what anybody wrote.
 */
export function broken(source: string, fragment: string): Broken {
  const lines = source.split('\n');
  const at = lines.findIndex((line) => line.includes(fragment));
  if (at < 0) throw new Error(`no line has ${fragment}`);
  const before = lines[at] as string;
  const after = without(before, fragment);
  if (after === '' && before.trim().startsWith('return ')) throw new Error(`${fragment} decides nothing`);
  lines[at] = after;
  return { source: lines.join('\n'), before: before.trim(), after: after.trim() };
}

function without(line: string, fragment: string): string {
  for (const [pattern, change] of changes) {
    if (pattern.test(fragment)) return line.replace(fragment, fragment.replace(pattern, change));
  }
  const condition = conditionOf(line);
  return condition === undefined ? '' : line.replace(`(${condition})`, `(!(${condition}))`);
}

/** What stands between the parentheses of an `if` that ends on its line. */
function conditionOf(line: string): string | undefined {
  const start = /^\s*(?:\} else )?if \(/.exec(line)?.[0].length;
  if (start === undefined) return undefined;
  let depth = 1;
  for (let at = start; at < line.length; at += 1) {
    if (line[at] === '(') depth += 1;
    else if (line[at] === ')') depth -= 1;
    if (depth === 0) return line.slice(start, at);
  }
  return undefined;
}
