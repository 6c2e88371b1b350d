/** The most characters of the name of a tool: for the API of OpenAI, and for MCP and the API of Anthropic. */
const limits = [64, 128] as const;

/**
 * Adds a prefix to the name of a tool. A name that the prefix would make too long for the APIs of models is shortened: a hash of the whole name is
 * its end. It depends on the name alone, so that other tools never change it.
 */
export function prefixedToolName(prefix: string, name: string): string {
  const whole = `${prefix}-${name}`;
  const limit = limits.find((most) => name.length <= most) ?? Infinity;
  if (whole.length <= limit) return whole;
  const end = `-${hashOf(whole)}`;
  return whole.slice(0, limit - end.length).replace(/[\ud800-\udbff]$/, '') + end;
}

/** Returns how often a name has a prefix with a `-`, at its beginning or after another `-`. */
export function prefixCount(prefix: string, name: string): number {
  const part = `${prefix}-`;
  let count = 0;
  for (let at = name.indexOf(part); at !== -1; at = name.indexOf(part, at + part.length))
    if (at === 0 || name[at - 1] === '-') count += 1;
  return count;
}

/** FNV-1a with 32 bits, as 7 characters. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36).padStart(7, '0');
}
