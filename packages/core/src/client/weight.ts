const bytesPerValue = 32;

/**
 * About how many bytes a JSON value takes: its text, and something for every value in it. Stops counting beyond `limit`,
 * so that the cost is bounded too.
 */
export function weightOf(value: unknown, limit: number): number {
  const rest: unknown[] = [value];
  let weight = 0;
  while (rest.length > 0 && weight <= limit) {
    const next = rest.pop();
    weight += bytesPerValue;
    if (typeof next === 'string') weight += next.length;
    else if (Array.isArray(next)) for (const item of next) rest.push(item);
    else if (typeof next === 'object' && next !== null) {
      for (const [key, member] of Object.entries(next)) {
        weight += key.length;
        rest.push(member);
      }
    }
  }
  return weight;
}
