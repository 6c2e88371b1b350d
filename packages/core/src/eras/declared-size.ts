/** The most characters, as JSON, of what a peer declares about itself, since it is kept with its session or subscription. */
const maxDeclaredLength = 65_536;

/** Returns the problem of a declaration that is too large to be kept, or undefined. */
export function declaredSizeProblem(name: string, declared: unknown): string | undefined {
  const length = declared === undefined ? 0 : JSON.stringify(declared).length;
  if (length <= maxDeclaredLength) return undefined;
  return `"${name}" has ${length} characters as JSON; at most ${maxDeclaredLength} are allowed`;
}
